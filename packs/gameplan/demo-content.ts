import type { EdgeType } from './graph/edge.ts'
import type { NewSystem } from './services/game-systems/writer.ts'

/** What the demo project *Dungeon Crawler* consists of. Slugs are used to link things. */
export const dungeonCrawler = {
  name: 'Dungeon Crawler',
  description:
    'A small party descends into a dungeon that is different every night, brings back what it can carry, and decides at dawn whether to go one floor deeper.',
  genre: 'Roguelike RPG',
  platform: 'PC',
  status: 'active',
} as const

export const dungeonCrawlerSystems: readonly NewSystem[] = [
  {
    name: 'Character Stats',
    systemSlug: 'character-stats',
    status: 'active',
    mvpCriticality: 'core',
    purpose: 'Gives every hero and monster a handful of numbers that all other rules read.',
    coreMechanics:
      'Five attributes from 1 to 20. Derived values (health, stamina, carry weight) are formulas of attributes, never stored.',
    inputs: 'Level-ups, worn equipment, status effects.',
    outputs: 'Current and derived values, change events.',
    failureStates: 'Two effects of one kind stack without limit.\nA derived value is cached and goes stale.',
    scalingBehavior: 'Linear in the number of characters on a floor; about 60 at most.',
    currentState: 'All attributes work; status effects are hard-coded.',
    targetState: 'Status effects are data that designers edit.',
    openQuestions: 'Does luck stay an attribute, or is it hidden?',
  },
  {
    name: 'Dungeon Generation',
    systemSlug: 'dungeon-generation',
    status: 'active',
    mvpCriticality: 'core',
    purpose: 'Builds a floor from rooms and corridors that can always be finished.',
    coreMechanics:
      'A seed chooses a layout graph; rooms are placed on it; locks are put only where their key was reachable before.',
    inputs: 'Seed, floor number, biome tables.',
    outputs: 'Tile map, room graph, spawn points.',
    failureStates: 'A key lies behind its own lock.\nA floor takes longer than two seconds to build.',
    scalingBehavior: 'Grows with the number of rooms; deep floors have up to 40.',
    currentState: 'Two biomes, no locks.',
    targetState: 'Five biomes, locks and secret rooms.',
    implementationNotes: 'Keep the seed in the save file so that a floor can be rebuilt for bug reports.',
  },
  {
    name: 'Player Movement',
    systemSlug: 'player-movement',
    status: 'active',
    mvpCriticality: 'core',
    purpose: 'Moves the party over the tile map and makes each step feel deliberate.',
    coreMechanics: 'Turn-based steps on a grid; holding a direction repeats until something new comes into view.',
    inputs: 'Key presses, tile map, carry weight.',
    outputs: 'Positions, step events, noise.',
    failureStates: 'Auto-walk steps into a trap that is already visible.',
    currentState: 'Walking and doors work.',
    targetState: 'Sneaking and climbing.',
  },
  {
    name: 'Enemy AI',
    systemSlug: 'enemy-ai',
    status: 'draft',
    mvpCriticality: 'core',
    purpose: 'Makes monsters act on what they could know, so that players can outwit them.',
    coreMechanics:
      'Each monster has senses, a memory of the last seen position and one goal at a time: guard, hunt, flee.',
    inputs: 'Room graph, noise, attributes.',
    outputs: 'Chosen actions, mood icons.',
    failureStates: 'Monsters see through walls.\nA pack blocks a doorway for good.',
    scalingBehavior: 'At most 25 monsters think each turn; the rest sleep.',
    openQuestions: 'Do monsters of different kinds help each other?',
  },
  {
    name: 'Inventory',
    systemSlug: 'inventory',
    status: 'active',
    mvpCriticality: 'core',
    purpose: 'Lets the party carry, wear and throw away things within a weight limit.',
    coreMechanics: 'Things have weight and a slot; two packs per hero; dropping takes no turn, wearing takes one.',
    inputs: 'Found things, carry weight.',
    outputs: 'Worn equipment, item events.',
    failureStates: 'A thing is duplicated when the game is saved in mid-trade.',
    currentState: 'Carrying and dropping work.',
    targetState: 'Wearing with comparison to what is worn.',
  },
  {
    name: 'Save Game',
    systemSlug: 'save-game',
    status: 'draft',
    mvpCriticality: 'core',
    purpose: 'Keeps a descent safe between sessions without letting players take moves back.',
    coreMechanics: 'One slot per descent, written at every staircase and on quitting, removed on death.',
    inputs: 'Seed, positions, inventory, attributes.',
    outputs: 'Save file, summary for the menu.',
    failureStates: 'Power loss while writing leaves no readable file.',
    implementationNotes: 'Write beside the old file, then rename.',
  },
  {
    name: 'Skill Tree',
    systemSlug: 'skill-tree',
    status: 'draft',
    mvpCriticality: 'important',
    purpose: 'Gives level-ups a choice that changes how a hero plays.',
    coreMechanics: 'Three branches of seven skills; every second level one point; respec costs a rare stone.',
    inputs: 'Level-ups.',
    outputs: 'Unlocked skills, attribute bonuses.',
    openQuestions: 'Are branches shared between classes?\nHow expensive is a respec?',
  },
  {
    name: 'Quest Log',
    systemSlug: 'quest-log',
    status: 'draft',
    mvpCriticality: 'important',
    purpose: 'Remembers what the townspeople asked for and how far the party has come.',
    coreMechanics: 'Quests are small state machines fed by events; a log entry is written at each change.',
    inputs: 'Item events, step events, chosen actions.',
    outputs: 'Quest states, rewards.',
    failureStates: 'A quest waits for something this floor cannot contain.',
  },
  {
    name: 'Crafting',
    systemSlug: 'crafting',
    status: 'draft',
    mvpCriticality: 'later',
    purpose: 'Turns spare finds into things worth carrying.',
    coreMechanics: 'Recipes of two or three parts, found as pages in the dungeon; a camp fire is needed.',
    inputs: 'Things, recipes.',
    outputs: 'Better things.',
    openQuestions: 'Can crafting fail?',
  },
  {
    name: 'Town Market',
    systemSlug: 'town-market',
    status: 'draft',
    mvpCriticality: 'later',
    purpose: 'Buys what the party brings back and tempts it with what it needs next.',
    coreMechanics: 'Prices follow how often a thing was sold; stock changes each morning.',
    inputs: 'Things, quest states.',
    outputs: 'Coins, stock.',
    failureStates: 'Buying and selling the same thing earns coins.',
  },
  {
    name: 'Fog of War',
    systemSlug: 'fog-of-war',
    status: 'draft',
    mvpCriticality: 'later',
    purpose: 'Shows only what the party sees or remembers.',
    coreMechanics: 'Shadow casting from each hero; remembered tiles are drawn grey.',
    inputs: 'Tile map, positions.',
    outputs: 'Visible and remembered tiles.',
    scalingBehavior: 'Recomputed each step within a radius of 12 tiles.',
  },
  {
    name: 'Old Prototype',
    systemSlug: 'old-prototype',
    status: 'deprecated',
    mvpCriticality: 'later',
    purpose: 'The first throw-away build from the game jam. Nothing uses it any more.',
    currentState: 'Still in the repository.',
    targetState: 'Gone.',
  },
]

/** Who needs whom, by slug: `[source, type, target, why]`. */
export const dungeonCrawlerDependencies: readonly (readonly [string, EdgeType, string, string])[] = [
  ['player-movement', 'requires', 'dungeon-generation', 'Steps need a tile map.'],
  ['player-movement', 'requires', 'character-stats', 'Carry weight slows the party.'],
  ['enemy-ai', 'requires', 'dungeon-generation', 'Monsters plan on the room graph.'],
  ['enemy-ai', 'requires', 'player-movement', 'Noise comes from steps.'],
  ['inventory', 'requires', 'character-stats', 'Carry weight limits the pack.'],
  ['save-game', 'requires', 'dungeon-generation', 'The seed is saved.'],
  ['save-game', 'requires', 'inventory', 'Packs are saved.'],
  ['skill-tree', 'requires', 'character-stats', 'Skills change attributes.'],
  ['skill-tree', 'enhances', 'enemy-ai', 'Some skills fool monsters.'],
  ['quest-log', 'requires', 'inventory', 'Quests listen to item events.'],
  ['quest-log', 'enhances', 'enemy-ai', 'Hunting quests need monsters.'],
  ['crafting', 'requires', 'inventory', 'Parts come out of the pack.'],
  ['town-market', 'requires', 'inventory', 'Trade moves things.'],
  ['town-market', 'optional', 'quest-log', 'Quest states change the stock.'],
  ['fog-of-war', 'requires', 'player-movement', 'Sight starts at positions.'],
  ['fog-of-war', 'requires', 'dungeon-generation', 'Walls block sight.'],
]

export const puzzleGarden = {
  name: 'Puzzle Garden',
  description: 'A calm puzzle game about growing a garden from rules that the player discovers.',
  genre: 'Puzzle',
  platform: 'Mobile',
  status: 'ideation',
} as const

export const puzzleGardenSystems: readonly NewSystem[] = [
  {
    name: 'Plant Growth',
    systemSlug: 'plant-growth',
    status: 'draft',
    mvpCriticality: 'core',
    purpose: 'Lets plants grow, bloom and wither by simple rules the player can work out.',
  },
  {
    name: 'Weather Cycle',
    systemSlug: 'weather-cycle',
    status: 'draft',
    mvpCriticality: 'important',
    purpose: 'Brings sun and rain in patterns that can be learnt.',
  },
]

export const storyBrainstorm = {
  title: 'Dungeon story',
  source: 'meeting',
  author: 'Alice and Bob',
  tags: ['story', 'world'],
  content: [
    '# Dungeon story',
    '',
    '- No cut scenes: what happened is read off rooms, graves and shop signs.',
    '- The town above forgets a little more each night.',
    '- Each floor belongs to somebody who once went down to bring something back.',
  ].join('\n'),
  output: {
    title: 'The Town Below',
    content:
      'Every descent ends in a street of the town as it was a hundred years ago. Who reads the signs learns why nobody leaves.',
  },
} as const

export const playtestBrainstorm = {
  title: 'First playtest',
  source: 'playtest',
  author: 'Bob',
  tags: ['controls', 'ui'],
  content: [
    '# First playtest',
    '',
    '- Four of five players did not see that a door can be held shut.',
    '- Auto-walk was found by nobody and loved by everybody once shown.',
  ].join('\n'),
} as const

/** Version plans with their systems by slug; the first is finalized. */
export const dungeonCrawlerPlans = [
  {
    versionLabel: 'v0.1',
    title: 'Walkable Dungeon',
    description: 'One hero walks through one generated floor.',
    systems: ['character-stats', 'dungeon-generation', 'player-movement'],
  },
  {
    versionLabel: 'v0.2',
    title: 'First Playable',
    description: 'A descent of three floors that can be lost, saved and won.',
    systems: ['character-stats', 'dungeon-generation', 'player-movement', 'enemy-ai', 'inventory', 'save-game'],
  },
] as const

/** Idea threads, oldest first; each message by one of the demo people. */
export const ideaThreads = [
  {
    title: 'Floor names',
    messages: [
      {
        by: 'bob',
        content: 'Floors need names people can tell each other about. "The one with the flooded library" is too long.',
      },
      { by: 'alice', content: 'Let every floor be named after whoever is buried on it.' },
    ],
  },
  {
    title: 'Talking monsters',
    messages: [
      { by: 'alice', content: 'What if monsters warn each other in words the player slowly learns to understand?' },
      { by: 'bob', content: 'I like it, as long as nothing important hides behind it.' },
      {
        by: 'carol',
        content: 'My testers already give them names. Talking would make it hard to fight them, in a good way.',
      },
    ],
  },
] as const
