/** A thing with or without its noun, as the offline interpreter's patterns write it: *the crafting system*, *system Crafting*, *crafting*. */
const thing = (noun: string, field: string) =>
  `(@the #${noun}! [@about] <${field}>|@the <${field}> #${noun}!|<${field}>)`

/** Several things with or without their noun: *the systems crafting and inventory*. */
const things = (noun: string, field: string) => `[@the|both|these|only|just] [#${noun}] [:] <${field}> [#${noun}]`

export const project = `(${thing('project', 'projectId')}|(@this|the whole|this whole) (#project!|game))`
export const system = thing('game-system', 'systemId')
export const source = thing('game-system', 'sourceSystemId')
export const target = thing('game-system', 'targetSystemId')
export const systems = things('game-system', 'systemIds')
export const plan =
  '(@the [draft] #version-plan! [@about] <planId>|@the [draft] <planId> #version-plan!|@the <planId> draft|<planId>)'
export const brainstorm = thing('brainstorm', 'brainstormId')
export const thread = thing('idea-stream', 'threadId')
export const threads = things('idea-stream', 'threadIds')
