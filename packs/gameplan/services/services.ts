import { activityReader } from './activity/reader.ts'
import { brainstormReader } from './brainstorms/reader.ts'
import { brainstormWriter } from './brainstorms/writer.ts'
import type { Context } from './context.ts'
import { dependencyReader } from './dependencies/reader.ts'
import { dependencyWriter } from './dependencies/writer.ts'
import { exportReader } from './exports/reader.ts'
import { exportWriter } from './exports/writer.ts'
import { importFromMarkdown } from './game-systems/markdown-writer.ts'
import { gameSystemReader } from './game-systems/reader.ts'
import { gameSystemWriter } from './game-systems/writer.ts'
import { ideaReader } from './ideas/reader.ts'
import { ideaWriter } from './ideas/writer.ts'
import { projectReader } from './projects/reader.ts'
import { projectWriter } from './projects/writer.ts'
import { versionPlanReader } from './version-plans/reader.ts'
import { versionPlanWriter } from './version-plans/writer.ts'

/** Everything that looks and changes nothing. */
export function gameplanReaders(context: Context) {
  return {
    projects: projectReader(context),
    activity: activityReader(context),
    gameSystems: gameSystemReader(context),
    brainstorms: brainstormReader(context),
    dependencies: dependencyReader(context),
    versionPlans: versionPlanReader(context),
    ideas: ideaReader(context),
    exports: exportReader(context),
  }
}

/** Everything that changes; all of it inside the one transaction that the context holds. */
export function gameplanWriters(context: Context) {
  return {
    projects: projectWriter(context),
    gameSystems: {
      ...gameSystemWriter(context),
      importFromMarkdown: (request: Parameters<typeof importFromMarkdown>[1]) => importFromMarkdown(context, request),
    },
    brainstorms: brainstormWriter(context),
    dependencies: dependencyWriter(context),
    versionPlans: versionPlanWriter(context),
    ideas: ideaWriter(context),
    exports: exportWriter(context),
  }
}

export type Readers = ReturnType<typeof gameplanReaders>
export type Writers = ReturnType<typeof gameplanWriters>
