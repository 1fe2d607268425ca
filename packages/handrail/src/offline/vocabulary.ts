import { type PatternNode, parsePattern } from './pattern.ts'

/** Classes of words that patterns name with `@`, English and German. A class may match nothing where it says so. */
const classSources: Readonly<Record<string, string>> = {
  the: '[the [entire|whole|full|complete]|our|my|der|die|das|den|dem|des|unser|unsere|unseren|mein|meine|meinen]',
  a: '[a|an|one|ein|eine|einen|einem|einer] [new|fresh|brand new|further|neues|neue|neuen|neuer]',
  this: '(this|the|our|my|the current|this whole|dieses|diesem|diesen|das|dem|unser|unserem|das aktuelle)',
  all: '[only [the|our]|just [the|our]|all [of] [the|our|my|its|these]|every|each|any|the|our|my|every single|everything about the|a (list|rundown|summary) of [all|every] [the|our|my]|the list of [all] [the|our|my]|an overview of [all|every] [the|our|my]|alle|sämtliche|die|unsere]',
  and: '[,|;] [and|und|plus|&]',
  be: "(is|are|'s|was|were|ist|sind)",
  have: '[do we [currently] have|do i have|have we got|have we|do we [already] own|we have|we got|that we have|there are|are there|is there|exist|exists|currently exist|i have|gibt es|haben wir] [now|right now|currently|at the moment|so far|already|yet|in total|altogether|here|available|insgesamt|derzeit]',
  show: "(i'd like|i would like|i want|i need|can i (have|get|see)|could i (have|get|see)|can we (have|get|see)|let 's (see|look at)|show [me|us]|list [me|us|out]|display|print|view|see|get [me|us]|fetch|give me|give us|enumerate|look at|look up|pull up|bring up|let me see|let me look at|i want to see|i'd like to see|i would like to see|check out|what are|what is|what 's|tell me|read out|output|zeige [mir|uns]|zeig [mir|uns]|liste|nenne [mir]|gib mir)",
  open: "(open [up]|show [me|us]|read [me]|view|see|get [me]|fetch|display|give me|look at|look up|pull up|bring up|let me see|let me look at|i want to see|i'd like to see|go to|let me read|i want to read|inspect|describe|explain|summarize|summarise|tell me [more|everything|all|something] about|what do we know about|what do you know about|what is|what 's|details (of|about|on|for)|(show [me]|give me|get [me]|read [me]) [the|all] (details|info|information) (of|about|on|for)|öffne|zeige [mir]|zeig [mir]|lies|beschreibe)",
  details:
    '[details|detail|info|information|data|overview|summary|in detail|in full|with details|with everything|page|an|auf]',
  create:
    '(create|add|make|build|set up|setup|start|register|make me|make us|create me|build me|define|introduce|new|open up|put in|insert|i need|we need|i want|we want|erstelle|erzeuge|lege|füge|baue|anlegen)',
  update: '(update|change|edit|modify|revise|adjust|alter|amend|correct|ändere|aktualisiere|bearbeite)',
  set: '(set|change|update|edit|modify|adjust|switch|put|alter|move|turn|setze|ändere|stelle)',
  mark: '(set|mark|flag|make|move|switch|change|turn|put|classify|declare|label|markiere|setze|mache|stelle)',
  to: '(to|as|=|:|into|to be|auf|zu|als|in)',
  delete:
    '(delete|remove|drop|erase|discard|trash|scrap|get rid of|throw away|throw out|wipe|kill|destroy|lösche|entferne|verwerfe)',
  named:
    '(called|named|titled|entitled|with the name|with name|with the title|by the name of|namens|genannt|mit dem titel|mit dem namen|name :|title :)',
  of: '(of|for|on|in|from|about|von|für|des|der)',
  about:
    '(about|on|regarding|concerning|over|called|named|titled|entitled|with the title|with the name|with id|with the id|namens|über|zu|:)',
}

const classes = new Map<string, PatternNode[]>()

/** The pattern behind `@name`. @throws Error when no such class exists */
export function wordClass(name: string): PatternNode[] {
  const known = classes.get(name)
  if (known) return known
  const source = Object.hasOwn(classSources, name) ? classSources[name] : undefined
  if (source === undefined) throw new Error(`There is no word class \`@${name}\``)
  const nodes = parsePattern(source)
  classes.set(name, nodes)
  return nodes
}

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** Words that mean the clause is no plain order: they may not stand inside an unquoted value. */
export const moodWords = words(`
  not no never don't dont doesn't didn't isn't aren't won't can't cannot shouldn't wouldn't couldn't nobody nothing none neither nor without
  if unless until when whenever whether once after before while because although though otherwise
  should would could might may must shall maybe perhaps possibly probably hopefully suppose imagine pretend
  what why how who whom whose where which except instead rather but yesterday tomorrow tonight ago already soon someday
  said says told asked wrote thinks wonder stop wait undo cancel
  nicht nie niemals kein keine keinen keiner ohne wenn falls ob sobald bevor nachdem weil vielleicht soll sollte würde könnte warum wie wer gestern morgen außer aber sondern
`)

/** Words that point at an amount or at nothing in particular: never somebody's name for a thing. */
export const vagueWords = words(`
  all every everything any anything each both some something several many few more most much none thing things stuff one ones
  other others another same similar such certain whatever whichever rest random various everybody anyone someone
  better best good nice cool great awesome proper missing necessary usual own real actual second third last next whole
  two three four five six seven eight nine ten dozen couple pair
  alle alles jede jedes jeden einige etwas manche mehrere sonstige
`)

/** Words that order a sentence; a name that is not in quotes holds none of them. */
export const frameWords = words(`
  i you we me us he she they them it its this that these those there here who
  a an in on at to from into onto with by for about between via per as than is are was were be been being am do does did done has have had will
  der die das den dem des ein eine einen einem einer
  called named titled entitled labelled labeled tagged marked namens genannt
  and or then also und oder dann ich du wir ihr sie es von vom zu zum zur mit für auf im ist sind
`)

/** Words that carry no meaning of their own in a question. */
export const stopWords = words(`
  i you we me us he she they them it its this that these those there here who what which how where
  a an the in on at to from into of with by for about between than is are was were be been being am do does did done has have had will would could can
  and or also all any anything some my our your give show tell list see let get look know want like need please currently now right just only so far yet
  much many more most exactly actually really ever got 's there's lot kind other else if
  der die das den dem ein eine und oder von für mit auf im in zu ist sind gibt es alle welche was wie mir uns wir ich haben
`)

const writeStems =
  /^(creat|delet|remov|renam|archiv|finali[sz]|import|generat|eras|discard|scrap|trash|updat|modif|drop|add|post|repl[iy]|lock|freez|lösch|entfern|erstell|änder)/

/** Is this a word of changing something, in whatever form? */
export function isWriteWord(word: string): boolean {
  return writeStems.test(word)
}

export const pronouns = words('it its that this them these those es ihn sie diesen dieses diese')

/** Verbs that begin an order: behind a separator they begin a new one. */
export const orderVerbs = words(`
  create add make build start delete remove drop erase discard trash scrap update change edit modify set rename mark link unlink connect disconnect
  finalize finalise lock freeze validate check import export generate produce post reply answer send write show list display open read get find search
  archive turn convert merge plan tell give throw clear move put register define
  erstelle erzeuge lege füge lösche entferne ändere setze zeige liste öffne sperre prüfe exportiere importiere
`)

const numberWords: readonly string[] = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Reads a whole number written in digits or as a word up to twelve. */
export function readNumber(word: string): number | undefined {
  if (/^\d{1,9}$/.test(word)) return Number(word)
  const index = numberWords.indexOf(word)
  return index < 0 ? undefined : index
}

const prefixes: readonly (readonly string[])[] = [
  'please',
  'pls',
  'plz',
  'kindly',
  'hey',
  'hi',
  'hello',
  'ok',
  'okay',
  'now',
  'so',
  'well',
  'alright',
  'great',
  'thanks',
  'bitte',
  'first',
  'next',
  'finally',
  'lastly',
  'then',
  'also',
  'and',
  'dann',
  'zuerst',
  'and then',
  'after that',
  'afterwards',
  'can you',
  'could you',
  'would you',
  'will you',
  'can you please',
  'i want you to',
  "i'd like you to",
  'i would like you to',
  'i want to',
  "i'd like to",
  'i would like to',
  'i need you to',
  'i need to',
  'we need to',
  'we want to',
  "let 's",
  'let us',
  'go ahead and',
  'go and',
  'quickly',
  'kannst du',
  'könntest du',
  'handrail',
].map((phrase) => phrase.split(' ')) // prettier than a table of arrays

const suffixes: readonly (readonly string[])[] = [
  'please',
  'pls',
  'plz',
  'thanks',
  'thx',
  'thank you',
  'for me',
  'for us',
  'now',
  'right now',
  'right away',
  'immediately',
  'asap',
  'completely',
  'entirely',
  'permanently',
  'for good',
  'bitte',
  'danke',
  'jetzt',
  'ok',
  'too',
  'as well',
  'then',
].map((phrase) => phrase.split(' '))

/** How many leading and trailing words are only politeness or glue. `asks` says that a form like *can you* was among them. */
export function politeEdges(lowers: readonly string[]): { from: number; to: number; asks: boolean } {
  let from = 0
  let to = lowers.length
  let asks = false
  const isMark = (word: string | undefined) => word !== undefined && /^[,;.!?\n]$/.test(word)
  for (let again = true; again; ) {
    again = false
    while (from < to && isMark(lowers[from])) from++
    while (to > from && isMark(lowers[to - 1])) to--
    const before = prefixes
      .filter((phrase) => phrase.length < to - from && phrase.every((word, index) => lowers[from + index] === word))
      .sort((one, other) => other.length - one.length)[0]
    if (before) {
      asks ||= /^(can|could|would|will|kannst|könntest)$/.test(before[0] ?? '')
      from += before.length
      again = true
    }
    const after = suffixes
      .filter(
        (phrase) =>
          phrase.length < to - from && phrase.every((word, index) => lowers[to - phrase.length + index] === word),
      )
      .sort((one, other) => other.length - one.length)[0]
    if (after) {
      to -= after.length
      again = true
    }
  }
  return { from, to, asks }
}
