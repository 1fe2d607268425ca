/** A request in a person's words, and the calls that do exactly what it says (look-ups of ids not counted). */
export type Paraphrase = readonly [say: string, tool: string, input: Record<string, unknown>]

/**
 * Requests for all 33 tools, written before the interpreter and its patterns, by the same hand. On its first run 139 of
 * 148 were right and 9 not understood. Ids are the planning world's.
 */
export const paraphrases: readonly Paraphrase[] = [
  ['What projects do we have?', 'list_projects', {}],
  ['Show me all active projects', 'list_projects', { status: 'active' }],
  ['list archived projects', 'list_projects', { status: 'archived' }],
  ['Which of our projects are still in ideation?', 'list_projects', { status: 'ideation' }],
  ['Please give me an overview of every project', 'list_projects', {}],

  ['Show me the details of this project', 'get_project', {}],
  ['Open the project Space Trader', 'get_project', { projectId: 'prj_space' }],
  ['Tell me about Dungeon Crawler', 'get_project', { projectId: 'prj_dungeon' }],
  ['project details please', 'get_project', {}],
  ['How is the Dungeon Crawler project doing?', 'get_project', { projectId: 'prj_dungeon' }],

  ['Create a new project called Star Harvest', 'create_project', { name: 'Star Harvest' }],
  [
    'Start a project named "Moon Miner" with genre "simulation" and platform PC',
    'create_project',
    { name: 'Moon Miner', genre: 'simulation', platform: 'PC' },
  ],
  ['Could you set up a new project titled "Neon Drift"?', 'create_project', { name: 'Neon Drift' }],
  ['new project: Ghost Train', 'create_project', { name: 'Ghost Train' }],
  [
    'Add a project "Paper Kingdom", description "A turn-based strategy game", status active',
    'create_project',
    { name: 'Paper Kingdom', description: 'A turn-based strategy game', status: 'active' },
  ],

  ['Change the genre of this project to roguelike', 'update_project', { genre: 'roguelike' }],
  ['Rename Space Trader to "Galaxy Trader"', 'update_project', { projectId: 'prj_space', name: 'Galaxy Trader' }],
  ['Set the project status to archived', 'update_project', { status: 'archived' }],
  ['Update the project description to "A dark dungeon game"', 'update_project', { description: 'A dark dungeon game' }],
  ['Please archive the project Old Arcade', 'update_project', { projectId: 'prj_arcade', status: 'archived' }],

  ['Delete the project Old Arcade', 'delete_project', { projectId: 'prj_arcade' }],
  ['Please remove the Space Trader project completely', 'delete_project', { projectId: 'prj_space' }],
  ['get rid of project "Old Arcade"', 'delete_project', { projectId: 'prj_arcade' }],
  ['I want you to delete the Old Arcade project', 'delete_project', { projectId: 'prj_arcade' }],

  ['What happened recently in the project?', 'get_project_activity', {}],
  ['Show the last 5 activities', 'get_project_activity', { limit: 5 }],
  ['recent activity', 'get_project_activity', {}],
  ["What's new in this project?", 'get_project_activity', {}],
  ['Show me the activity log of the project', 'get_project_activity', {}],

  ['Show all game systems', 'list_game_systems', {}],
  ['Which systems are core?', 'list_game_systems', { mvpCriticality: 'core' }],
  ['List the deprecated systems', 'list_game_systems', { status: 'deprecated' }],
  ['How many systems do we have?', 'list_game_systems', {}],
  ['Find systems that mention "monster"', 'list_game_systems', { search: 'monster' }],
  ['what draft systems are there', 'list_game_systems', { status: 'draft' }],

  ['Show me the crafting system', 'get_game_system', { systemId: 'sys_crafting' }],
  ['Tell me everything about the inventory system', 'get_game_system', { systemId: 'sys_inventory' }],
  ['What does the crafting system depend on?', 'get_game_system', { systemId: 'sys_crafting' }],
  ['open Enemy AI', 'get_game_system', { systemId: 'sys_enemy' }],
  ['Can you show me the change log of the Save System?', 'get_game_system', { systemId: 'sys_save' }],

  ['Create a fishing system', 'create_game_system', { name: 'Fishing System', systemSlug: 'fishing-system' }],
  ['Add a new game system called "Weather"', 'create_game_system', { name: 'Weather', systemSlug: 'weather' }],
  [
    'Please make a trading system with purpose "Let players barter" and criticality core',
    'create_game_system',
    { name: 'Trading System', systemSlug: 'trading-system', purpose: 'Let players barter', mvpCriticality: 'core' },
  ],
  [
    'I need a mount system, status active',
    'create_game_system',
    { name: 'Mount System', systemSlug: 'mount-system', status: 'active' },
  ],
  [
    'Set up a system named Guild Wars with slug guild-wars',
    'create_game_system',
    { name: 'Guild Wars', systemSlug: 'guild-wars' },
  ],
  [
    "Let's add a quest system to Dungeon Crawler",
    'create_game_system',
    { name: 'Quest System', systemSlug: 'quest-system' },
  ],

  [
    'Set the status of the crafting system to active',
    'update_game_system',
    { systemId: 'sys_crafting', status: 'active' },
  ],
  ['Mark the stealth system as deprecated', 'update_game_system', { systemId: 'sys_stealth', status: 'deprecated' }],
  ['Make the inventory system core', 'update_game_system', { systemId: 'sys_inventory', mvpCriticality: 'core' }],
  [
    'Rename the dialogue system to "Conversation System"',
    'update_game_system',
    { systemId: 'sys_dialogue', name: 'Conversation System' },
  ],
  [
    'Change the purpose of Enemy AI to "Hunt the player"',
    'update_game_system',
    { systemId: 'sys_enemy', purpose: 'Hunt the player' },
  ],
  [
    'Update the save system\'s current state to "Autosave works" with change summary "autosave"',
    'update_game_system',
    { systemId: 'sys_save', currentState: 'Autosave works', changeSummary: 'autosave' },
  ],

  ['Delete the old prototype system', 'delete_game_system', { systemId: 'sys_old' }],
  ['Remove the stealth system', 'delete_game_system', { systemId: 'sys_stealth' }],
  ['Please get rid of "Old Prototype"', 'delete_game_system', { systemId: 'sys_old' }],
  ['Can you drop the dialogue system from the project?', 'delete_game_system', { systemId: 'sys_dialogue' }],

  [
    'Import this system from markdown:\n# Fishing\n\n## System ID\nfishing\n\n## Purpose\nCatch fish',
    'import_system_from_markdown',
    { markdown: '# Fishing\n\n## System ID\nfishing\n\n## Purpose\nCatch fish' },
  ],
  [
    'Please import the following markdown as a game system:\n```\n# Weather\n## System ID\nweather\n```',
    'import_system_from_markdown',
    { markdown: '# Weather\n## System ID\nweather' },
  ],
  [
    'Import a system:\n# Guild\n## System ID\nguild',
    'import_system_from_markdown',
    { markdown: '# Guild\n## System ID\nguild' },
  ],

  ['List all brainstorms', 'list_brainstorms', {}],
  ['What brainstorming sessions do we have?', 'list_brainstorms', {}],
  ['show me our brainstorms', 'list_brainstorms', {}],
  ['Are there any brainstorms?', 'list_brainstorms', {}],

  ['Open the brainstorm "Boss Fight Ideas"', 'get_brainstorm', { brainstormId: 'brn_boss' }],
  ['Show me the economy rework brainstorm', 'get_brainstorm', { brainstormId: 'brn_economy' }],
  ['What is in the brainstorm about pet companions?', 'get_brainstorm', { brainstormId: 'brn_pets' }],
  ['Read the Boss Fight Ideas session', 'get_brainstorm', { brainstormId: 'brn_boss' }],

  [
    'Create a brainstorm titled "Sky Islands" with content "Floating islands with wind puzzles"',
    'create_brainstorm',
    { title: 'Sky Islands', content: 'Floating islands with wind puzzles' },
  ],
  [
    'Add a brainstorm "Traps", content "Spikes and pits", tags combat and levels',
    'create_brainstorm',
    { title: 'Traps', content: 'Spikes and pits', tags: ['combat', 'levels'] },
  ],
  [
    'Save a new brainstorm called Traders: caravans that move between towns',
    'create_brainstorm',
    { title: 'Traders', content: 'caravans that move between towns' },
  ],
  [
    'Write down a brainstorm "Night Mode" by Dana with the content "Everything is darker"',
    'create_brainstorm',
    { title: 'Night Mode', content: 'Everything is darker', author: 'Dana' },
  ],

  ['Delete the brainstorm "Economy Rework"', 'delete_brainstorm', { brainstormId: 'brn_economy' }],
  ['Throw away the pet companions brainstorm', 'delete_brainstorm', { brainstormId: 'brn_pets' }],
  ['Could you please remove the brainstorm about boss fight ideas?', 'delete_brainstorm', { brainstormId: 'brn_boss' }],

  ['Show the dependency graph', 'get_dependency_graph', {}],
  ['In which order should we build the systems?', 'get_dependency_graph', {}],
  ['How are the systems connected?', 'get_dependency_graph', {}],
  ['What is the implementation order?', 'get_dependency_graph', {}],
  ['list all dependencies', 'get_dependency_graph', {}],

  [
    'Make the dialogue system depend on the save system',
    'add_dependency',
    { sourceSystemId: 'sys_dialogue', targetSystemId: 'sys_save' },
  ],
  [
    'Add a dependency from stealth to Enemy AI',
    'add_dependency',
    { sourceSystemId: 'sys_stealth', targetSystemId: 'sys_enemy' },
  ],
  [
    'Crafting should require level generation',
    'add_dependency',
    { sourceSystemId: 'sys_crafting', targetSystemId: 'sys_level', dependencyType: 'requires' },
  ],
  [
    'Link stealth to character movement as enhances',
    'add_dependency',
    { sourceSystemId: 'sys_stealth', targetSystemId: 'sys_movement', dependencyType: 'enhances' },
  ],
  [
    'Add an optional dependency of the dialogue system on the inventory system',
    'add_dependency',
    { sourceSystemId: 'sys_dialogue', targetSystemId: 'sys_inventory', dependencyType: 'optional' },
  ],

  [
    'Remove the dependency from crafting to inventory',
    'remove_dependency',
    { sourceSystemId: 'sys_crafting', targetSystemId: 'sys_inventory' },
  ],
  [
    'Crafting should no longer depend on inventory',
    'remove_dependency',
    { sourceSystemId: 'sys_crafting', targetSystemId: 'sys_inventory' },
  ],
  [
    'Unlink enemy AI from level generation',
    'remove_dependency',
    { sourceSystemId: 'sys_enemy', targetSystemId: 'sys_level' },
  ],
  [
    "Delete the inventory system's dependency on the save system",
    'remove_dependency',
    { sourceSystemId: 'sys_inventory', targetSystemId: 'sys_save' },
  ],

  ['What would break if I removed the inventory system?', 'get_impact_analysis', { systemId: 'sys_inventory' }],
  ['Which systems depend on the save system?', 'get_impact_analysis', { systemId: 'sys_save' }],
  ['Run an impact analysis for level generation', 'get_impact_analysis', { systemId: 'sys_level' }],
  ['What is affected when we change Enemy AI?', 'get_impact_analysis', { systemId: 'sys_enemy' }],
  ['What would happen if we deleted the save system?', 'get_impact_analysis', { systemId: 'sys_save' }],

  ['List the version plans', 'list_version_plans', {}],
  ['Which versions are planned?', 'list_version_plans', {}],
  ['show all plans', 'list_version_plans', {}],
  ['What version plans exist?', 'list_version_plans', {}],

  ['Show the plan v0.1', 'get_version_plan', { planId: 'pln_slice' }],
  ['What is in the Core Loop version plan?', 'get_version_plan', { planId: 'pln_loop' }],
  ['Which systems are part of version v0.2?', 'get_version_plan', { planId: 'pln_loop' }],
  ['Open version plan "Multiplayer Test"', 'get_version_plan', { planId: 'pln_multi' }],

  [
    'Create a version plan v0.4 titled "Beta" with the systems save and inventory',
    'create_version_plan',
    { versionLabel: 'v0.4', title: 'Beta', systemIds: ['sys_save', 'sys_inventory'] },
  ],
  [
    'Plan version v1.0 "Launch" containing crafting, inventory and save',
    'create_version_plan',
    { versionLabel: 'v1.0', title: 'Launch', systemIds: ['sys_crafting', 'sys_inventory', 'sys_save'] },
  ],
  [
    'Make a new plan with label "v0.5", title "Stealth Update" and systems Stealth System, Enemy AI and Level Generation',
    'create_version_plan',
    { versionLabel: 'v0.5', title: 'Stealth Update', systemIds: ['sys_stealth', 'sys_enemy', 'sys_level'] },
  ],

  [
    'Check whether crafting and inventory form a valid scope',
    'validate_version_scope',
    { systemIds: ['sys_crafting', 'sys_inventory'] },
  ],
  [
    'Would a version with only the crafting system be complete?',
    'validate_version_scope',
    { systemIds: ['sys_crafting'] },
  ],
  [
    'Validate the scope of enemy AI, level generation and stealth',
    'validate_version_scope',
    { systemIds: ['sys_enemy', 'sys_level', 'sys_stealth'] },
  ],
  [
    'Can we ship save and inventory without anything else?',
    'validate_version_scope',
    { systemIds: ['sys_save', 'sys_inventory'] },
  ],

  ['Finalize the version plan v0.2', 'finalize_version_plan', { planId: 'pln_loop' }],
  ['Lock the plan "Core Loop"', 'finalize_version_plan', { planId: 'pln_loop' }],
  ['Please freeze version v0.3', 'finalize_version_plan', { planId: 'pln_multi' }],
  ['Mark the Multiplayer Test plan as final', 'finalize_version_plan', { planId: 'pln_multi' }],

  ['Delete the version plan v0.3', 'delete_version_plan', { planId: 'pln_multi' }],
  ['Remove the draft plan "Core Loop"', 'delete_version_plan', { planId: 'pln_loop' }],
  ['discard version plan Multiplayer Test please', 'delete_version_plan', { planId: 'pln_multi' }],

  ['Show the idea threads', 'list_idea_threads', {}],
  ['Do I have unread messages in the idea stream?', 'list_idea_threads', {}],
  ['What is being discussed in the idea stream?', 'list_idea_threads', {}],
  ['list threads', 'list_idea_threads', {}],

  ['Show the messages in the Fishing Minigame thread', 'get_thread_messages', { threadId: 'thr_fishing' }],
  ['What did people say about weather effects?', 'get_thread_messages', { threadId: 'thr_weather' }],
  ['Read the thread "Boss Music"', 'get_thread_messages', { threadId: 'thr_music' }],
  ['Open the idea thread about the fishing minigame', 'get_thread_messages', { threadId: 'thr_fishing' }],

  [
    'Start an idea thread: What if dungeons flooded at night?',
    'create_idea_thread',
    { content: 'What if dungeons flooded at night?' },
  ],
  [
    'Create a thread titled "Mounts" with the message "Let us ride lizards"',
    'create_idea_thread',
    { title: 'Mounts', content: 'Let us ride lizards' },
  ],
  ['New idea: players can tame spiders', 'create_idea_thread', { content: 'players can tame spiders' }],
  [
    'Post a new idea in the idea stream: secret rooms behind waterfalls',
    'create_idea_thread',
    { content: 'secret rooms behind waterfalls' },
  ],

  [
    'Reply in the Boss Music thread: I love the drums',
    'post_idea_message',
    { threadId: 'thr_music', content: 'I love the drums' },
  ],
  [
    'Post "Count me in" to the thread Fishing Minigame',
    'post_idea_message',
    { threadId: 'thr_fishing', content: 'Count me in' },
  ],
  [
    'Answer in weather effects that "rain should slow enemies"',
    'post_idea_message',
    { threadId: 'thr_weather', content: 'rain should slow enemies' },
  ],
  [
    'Add a message to the thread about boss music: more bass!',
    'post_idea_message',
    { threadId: 'thr_music', content: 'more bass!' },
  ],

  [
    'Turn the threads Fishing Minigame and Weather Effects into a brainstorm',
    'finalize_threads_to_brainstorm',
    { threadIds: ['thr_fishing', 'thr_weather'] },
  ],
  [
    'Finalize the Boss Music thread to a brainstorm titled "Sound Direction"',
    'finalize_threads_to_brainstorm',
    { threadIds: ['thr_music'], title: 'Sound Direction' },
  ],
  [
    'Convert the thread "Weather Effects" to a brainstorm',
    'finalize_threads_to_brainstorm',
    { threadIds: ['thr_weather'] },
  ],
  [
    'Make a brainstorm out of the fishing minigame thread',
    'finalize_threads_to_brainstorm',
    { threadIds: ['thr_fishing'] },
  ],

  ['Which exports do we have?', 'list_exports', {}],
  ['Show me previous exports', 'list_exports', {}],
  ['list generated documents', 'list_exports', {}],

  ['Export the GDD as HTML', 'generate_export', { exportType: 'gdd', format: 'html' }],
  ['Generate a game design document', 'generate_export', { exportType: 'gdd' }],
  ['Please create the roadmap in markdown', 'generate_export', { exportType: 'roadmap', format: 'markdown' }],
  ['Produce the PRD for version v0.2', 'generate_export', { exportType: 'version_prd', planId: 'pln_loop' }],
  [
    'Write a system document for the crafting system as JSON',
    'generate_export',
    { exportType: 'system_doc', systemId: 'sys_crafting', format: 'json' },
  ],

  ['Zeige alle Systeme', 'list_game_systems', {}],
  ['Lösche das System "Old Prototype"', 'delete_game_system', { systemId: 'sys_old' }],
  ['Erstelle ein System namens Handel', 'create_game_system', { name: 'Handel', systemSlug: 'handel' }],
  ['Welche Projekte gibt es?', 'list_projects', {}],
  ['Bitte lege ein Projekt "Mondbasis" an', 'create_project', { name: 'Mondbasis' }],
]
