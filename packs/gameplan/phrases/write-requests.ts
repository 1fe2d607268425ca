import { plan, project, source, system, target, thread, threads } from './things.ts'

const depend = '(depend on|depend upon|rely on|be dependent on|build on)'
const must = '(should|must|has to|needs to|shall|ought to)'
const noLonger = '(any more|anymore|any longer)'
const cut = '(@delete|cut|break|undo|dissolve|clear)'
const that = '(record|note|declare|define|register|state|specify|add) [@a #dependency] [:|,|so] that'
const write =
  '(create|add|make|start|save|store|keep|write|write down|record|note|note down|capture|new|log|jot down|put down|open)'
const begin = '(start|open|create|begin|new|post|add|share|submit|make|launch|kick off|drop|note|record|write down)'
const saying =
  '(:|saying|that says|with the message|with the content|with the text|with content|with message|with text|with the first message|with the following (content|text|message)|message|content|text)'

/** How people ask for GamePlan's writes. Statements (*loot depends on combat*) are not orders and are left out. */
export const writeRequests = {
  create_project: [
    '(start|begin|kick off|launch|set up|spin up) @a [game] #project! (@named <name>|<name^>) ~',
    'lege @a #project! (@named <name>|<name^>) an',
  ],
  update_project: [
    `(archive|archiviere|shelve|retire|mothball) ${project} {status=archived}`,
    `(reactivate|unarchive|activate|restore|aktiviere) ${project} {status=active}`,
  ],
  create_game_system: [
    '(i|we) (need|want|would like) @a <name+> ~',
    '(füge|lege) @a #game-system! (@named <name>|<name^>) (hinzu|an)',
    '@create @a #game-system! (@named <name>|<name^>) [,] [with] [@the] slug <systemSlug> ~',
  ],
  update_game_system: [
    `(deprecate|retire|sunset) ${system} {status=deprecated} ~`,
    `(activate|reactivate|enable) ${system} {status=active} ~`,
    `(postpone|defer) ${system} {mvpCriticality=later}`,
    `(prioritize|prioritise|promote|demote|upgrade|downgrade) ${system} to <mvpCriticality>`,
  ],
  import_system_from_markdown: [
    '(import|load|bring in|ingest|read in|take in|take over|parse|importiere) [the|@a|this|@the following|following|that|dieses|das] [#game-system|markdown|text|file|document|spec|#game-system document|markdown document] [below|above] [from|out of|using|as|in|aus] [this|@the following|following|@a|the] [markdown|text|md|#game-system] [text|file|document|below|description] [as|into|to] [@a] [#game-system] : <markdown>',
    '(create|add|make|build) @a #game-system (from|out of|using|based on) [this|@the following|following|@the] (markdown|text|md|document) [text|below] : <markdown>',
  ],
  create_brainstorm: [
    `${write} @a #brainstorm! (@named <title>|<title^>|(about|on) <title>) [,|and] [with] (${saying} [:] <content>|<content!>) ~`,
    `${write} @a #brainstorm! (@named <title>|[,] <title^>|(about|on) <title>) ~`,
  ],
  add_dependency: [
    `(make|let|have) ${source} ${depend} ${target} ~`,
    `(make|let|have) ${source} (require|need) ${target} {dependencyType=requires} ~`,
    `(make|let|have) ${source} enhance ${target} {dependencyType=enhances} ~`,
    `(make|let|have) ${source} optionally (${depend}|use|need|require) ${target} {dependencyType=optional} ~`,
    `(make|set) ${source} (dependent on|reliant on) ${target} ~`,
    `${source} ${must} ${depend} ${target} ~`,
    `${source} ${must} (require|need) ${target} {dependencyType=requires} ~`,
    `${source} ${must} enhance ${target} {dependencyType=enhances} ~`,
    `(@create|record|note) @a [<dependencyType>] #dependency [of type <dependencyType>] (from|of|for) ${source} (to|on|upon|towards|onto) ${target} ~`,
    `(@create|record|note) @a [<dependencyType>] (link|connection) from ${source} to ${target} ~`,
    `@create @a [<dependencyType>] #dependency (on|upon) ${target} (to|for) ${source} ~`,
    `@create [@a|the] [<dependencyType>] #dependency [:] ${source} (depends on|→) ${target} ~`,
    `@create @a #dependency : ${source} <dependencyType> ${target} ~`,
    `(add|set|register|mark|declare) ${target} as @a [<dependencyType>] (#dependency|prerequisite) (of|for|to) ${source} ~`,
    `(link|connect|wire|hook|tie) ${source} [up] to ${target} ~`,
    `${that} ${source} (depends on|relies on|builds on) ${target} ~`,
    `${that} ${source} (requires|needs) ${target} {dependencyType=requires} ~`,
    `${that} ${source} enhances ${target} {dependencyType=enhances} ~`,
    `(mach|mache) ${source} (von ${target} abhängig|abhängig von ${target})`,
    `füge @a #dependency von ${source} (zu|auf|nach) ${target} hinzu`,
  ],
  remove_dependency: [
    `${cut} @the #dependency (from|of|for|that) ${source} (to|on|upon|has on) ${target} ~`,
    `${cut} [@the] [#dependency] [:] ${source} → ${target} ~`,
    `${cut} @the (#dependency|link|connection) between ${source} and ${target} ~`,
    `${cut} @the (#dependency|link|connection) between ${target} and ${source} ~`,
    `${cut} ${source} 's (#dependency|dependence) (on|to|upon) ${target} ~`,
    `${cut} @the (link|edge|connection) from ${source} to ${target} ~`,
    `@delete ${target} (from @the #dependency* of|as @a #dependency (of|for|from)) ${source} ~`,
    `@delete ${target} from ${source} 's #dependency* ~`,
    `@delete @the #dependency on ${target} (from|of) ${source} ~`,
    `${source} (should|shall|must) no longer (${depend}|require|need|enhance) ${target} ~`,
    `${source} (should not|shouldn't|must not|shall not) (${depend}|require|need|enhance) ${target} ${noLonger}`,
    `(make|let|have) ${source} no longer (${depend}|require|need) ${target} ~`,
    `(make|let|have) ${source} not (${depend}|require|need) ${target} ${noLonger}`,
    `make ${source} independent (of|from) ${target} ~`,
    `make ${source} stop (depending|relying) on ${target} ~`,
    `(unlink|disconnect|decouple|detach|uncouple|untie) ${source} from ${target} ~`,
    `entferne @the #dependency von ${source} (zu|auf|nach) ${target}`,
  ],
  create_version_plan: [
    '@create @a [draft] #version-plan [@named|with label|with the label|labelled|labeled|:|,] <versionLabel> [,|:|-|and] [@named|with title|with the title] <title> ~',
    '(@create|draft|prepare|plan) @a [draft] #version-plan (for [version]|with label) <versionLabel> [,] [@named] <title> ~',
    '(@create|draft|prepare|plan) @a [draft] #version-plan [@named|:|,] <title> [,] (with label|with version|with the label|labelled|labeled|as) <versionLabel> ~',
    '(plan|schedule|draft|prepare) [@a|@the] [#version-plan] [@named|labelled|labeled] <versionLabel> [,|:|-] [@named] <title> ~',
  ],
  finalize_version_plan: [`(mark|declare|set|make) ${plan} [as|to] (final|finalized|finalised|locked|frozen) ~`],
  delete_version_plan: [`(@delete|abandon) ${plan} ~`],
  create_idea_thread: [
    `${begin} @a [idea] (#idea-stream|idea|thought) [in @the (idea stream|stream)|to @the (idea stream|stream)|with @the (team|others)] (${saying}|about) [:] <content> ~`,
    `${begin} @a [idea] (#idea-stream|idea) [in @the (idea stream|stream)] [,|:] (@named|with title|with the title) <title> [,|and] [say|write] (${saying} [:] <content>|<content!>) ~`,
    `${begin} @a #idea-stream! <title^> [,] ${saying} [:] <content>`,
    '(i have an idea|my idea|idea) : <content>',
  ],
  post_idea_message: [
    `(reply|respond|answer|write|post|comment|chime in|say|add) [@a (message|reply|comment|answer)] (in|to|on|under|into) ${thread} ((:|saying|that|with|with the message|with the text|,) <content>|<content!>)`,
    `(post|add|send|write|say|put|reply|answer|comment|leave|drop) [(@a|the) (message|comment|reply)] <content!> (to|in|into|on|under|as @a (reply|message|answer|comment) (to|in|on)) ${thread}`,
    '(post|send|write|say|reply|answer|comment) <content> (to|in|into|on|under) @the (#idea-stream! [@about] <threadId>|<threadId> #idea-stream!)',
    `(add|post|write|send|leave|drop|put|new) @a (message|comment|reply|note|answer|post|idea message) (to|in|on|under|for|into) ${thread} ((:|saying|that says|with the text|with the content|with content|with the message|with text|,) <content>|<content!>)`,
    `(add|post|write|send|leave|put) @a (message|comment|reply|note|answer) [:|saying|that says] <content!> (to|in|on|under|into) ${thread}`,
    'tell @the (#idea-stream <threadId>|<threadId> #idea-stream) ((:|that) <content>|<content!>)',
    `in ${thread} [,] (say|write|post|reply|answer|comment|add) ((:|that) <content>|<content!>)`,
  ],
  finalize_threads_to_brainstorm: [
    `(turn|convert|make|finalize|finalise|merge|combine|gather|distill|condense|transform|promote|roll|bundle|summarize|summarise|consolidate|collect|fold|wrap up|close) ${threads} (into|to|as|in|up into|together into) @a [single|one] #brainstorm [@named <title>|<title^>] ~`,
    `(make|create|build|write|generate|produce|form) @a #brainstorm (out of|from|of|based on|with) ${threads} ~`,
    `(make|create|build|write|generate) @a #brainstorm (@named <title>|<title^>) (out of|from|based on) ${threads} ~`,
    `(wandle|mache) ${threads} in ein #brainstorm um`,
  ],
  generate_export: [
    '(@create|export|generate|produce|write|render|prepare|compile|give me|output|draw up|put together|print|draft|download|exportiere|generiere|erzeuge) [@a|@the|our|my|me @a] [#project] <exportType> [document|doc|file|export] ~',
    '(export|generate|produce|render|download|save) [@the|our|this] (#project|game) as [@a] <exportType> ~',
    '(export|render|generate|produce|@create) [@a|@the|our] <format> (version|export|copy) of @the <exportType> ~',
    '(@create|export|generate|produce) [@a] [<format>] #export of @the <exportType> ~',
    '(export|generate|produce|render|@create) [@the|our|this|@a] <format> <exportType> [document|doc|file|export] ~',
    `(export|document) ${system} as [@a] <exportType> ~`,
    `(export|document|write up) ${system} as [@a] <format> [document|file] {exportType=system_doc}`,
    `(export|generate|produce|@create|write) [@a|@the|our] <exportType> (of|for|on|about) ${plan} ~`,
    `(export|generate|produce|@create|write) [@a|@the|our] <exportType> (of|for|on|about) ${system} ~`,
  ],
} as const satisfies Record<string, readonly string[]>
