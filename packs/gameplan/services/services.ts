import { activityReader } from './activity/reader.ts'
import type { Context } from './context.ts'
import { dependencyReader } from './dependencies/reader.ts'
import { dependencyWriter } from './dependencies/writer.ts'
import { gameSystemReader } from './game-systems/reader.ts'
import { gameSystemWriter } from './game-systems/writer.ts'
import { projectReader } from './projects/reader.ts'
import { projectWriter } from './projects/writer.ts'

/** Everything that looks and changes nothing. */
export function gameplanReaders(context: Context) {
  return {
    projects: projectReader(context),
    activity: activityReader(context),
    gameSystems: gameSystemReader(context),
    dependencies: dependencyReader(context),
  }
}

/** Everything that changes; each runs inside the one transaction its context holds. */
export function gameplanWriters(context: Context) {
  return {
    projects: projectWriter(context),
    gameSystems: gameSystemWriter(context),
    dependencies: dependencyWriter(context),
  }
}

export type Readers = ReturnType<typeof gameplanReaders>
export type Writers = ReturnType<typeof gameplanWriters>
