import type { Db } from '@handrail/postgres/pack'
import type { ServiceContext } from 'handrail'

/** What every reader and writer is built on: one workspace, one person, what the conversation is about. */
export type Context = ServiceContext<Db>
