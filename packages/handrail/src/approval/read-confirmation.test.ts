import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confirmationWords, noEmoji, yesEmoji } from './confirmation-words.ts'
import { readConfirmation } from './read-confirmation.ts'

/** Separated by bars: the phrasings themselves have commas. */
function phrasings(list: string): string[] {
  return list
    .split(/[|\n]/)
    .map((phrasing) => phrasing.trim())
    .filter((phrasing) => phrasing !== '')
}

const yes = phrasings(`
  yes | Yes | YES | yes! | Yes!!! | yes. | Yes, please | yes please! | please, yes | Yes, do it. | Yes. Do it.
  yes do it please | yes go ahead | Yes – go ahead | yes - go ahead | yes; proceed | ok | OK! | okay
  Okay, do it | ok, do it | ok yes | ok please | okay, go ahead please | Alright, go for it | alright
  all right, do it | fine | fine, do it | sure | Sure! | sure, go ahead | sure thing | of course | absolutely
  definitely | certainly | go ahead | Go ahead. | go ahead, please | please go ahead | go for it | please do
  please do it | just do it | do it | do that | do it now | yep | yup | yeah | yeah do it | yea | yess | yse
  confirm | confirmed | I confirm | approve | approved | Approved! | I approve this | agreed | proceed
  please proceed | make it so | sounds good | looks good | lgtm | that's fine | That’s fine | thats fine
  works for me | fine by me | yes thanks | yes, thank you | thanks, yes | yes yes | yes, I'm sure
  yes I am sure | let's do it | carry on | 👍 | 👍🏽 | 👍👍 | ✅ | ✔️ | 👌 | yes 👍 | ok ✅ | 👍 do it | yes 🙂
  yes please 🙏 | ja | Ja | JA | ja! | Ja. | Ja, bitte | ja bitte! | bitte ja | ja, gerne | Gerne! | gern
  ja mach das | Ja, mach das bitte | mach das | Mach das! | mach es | mach's | bitte mach das | mach mal
  machen Sie das | Bitte machen Sie das | tu es | tu das | leg los | los geht's | nur zu | klar | na klar
  Klar, mach das | natürlich | Natürlich! | natuerlich | nat\u0075\u0308rlich | selbstverständlich
  auf jeden Fall | unbedingt | genau | ja genau | einverstanden | Ich bin einverstanden. | in Ordnung
  das ist in Ordnung | geht klar | passt | passt so | das passt | bestätigt | Ich bestätige
  ich bestätige das | genehmigt | freigegeben | freigeben | ausführen | bitte ausführen | ok, mach das
  okay bitte | okay, ja | gut, mach das | na gut, mach es | also gut | meinetwegen | von mir aus | jawohl
  jep | jup | jap | ja danke | danke, ja | ja, vielen Dank | ja ja | ja, ich bin sicher | machen wir so
  klingt gut | du darfst | ja 👍 | ja bitte 😊
`)

const no = phrasings(`
  no | No | NO | no! | No. | no, thanks | No thank you. | no thanks! | no please | please no | no, don't
  No, don’t | no, do not | no don't do it | No. Don't do that. | don't | Don't! | dont | do not | don't do it
  do not do it | please don't | please don't do that | please do not | don't proceed | nope | Nope! | nop
  nah | nay | negative | no way | never | never! | rather not | I'd rather not | better not | no, rather not
  absolutely not | certainly not | of course not | not at all | no no | no no no | stop | STOP! | stop it
  no, stop | stop, please | cancel | Cancel. | please cancel | cancel that | no, cancel it | abort
  discard it | forget it | never mind | nevermind | no, never mind | drop it | skip it | leave it | decline
  declined | I decline | reject | rejected | refuse | denied | I don't want that | halt | 👎 | 👎🏿 | ❌ | 🚫
  no 👎 | ❌ stop | nein | Nein | NEIN! | nein danke | Nein, danke. | danke, nein | nein, bitte nicht
  bitte nicht | Bitte nicht! | nee | nö | Nö, danke | nein nein | lieber nicht | Lieber nicht.
  nein, lieber nicht | besser nicht | bloß nicht | bloss nicht! | doch nicht | doch lieber nicht
  auf keinen Fall | Auf gar keinen Fall! | keinesfalls | niemals | nein, niemals | natürlich nicht
  mach das nicht | Mach es nicht! | mach das bitte nicht | nicht machen | nein, nicht machen | tu es nicht
  das nicht | so nicht | ich will das nicht | abbrechen | bitte abbrechen | Abbruch | stopp | Stopp!
  nein, stopp | vergiss es | lass es | lass das | lass mal | lass gut sein | lassen wir das | verwerfen
  ablehnen | abgelehnt | ich lehne ab | nicht einverstanden | ich bin dagegen | nicht freigeben | nein 👎
`)

const other = phrasings(`
  yes? | ok? | sure? | really? | are you sure? | what would it delete? | what would that do? | which one?
  why? | yes, but keep the old one | yes, but only the first | yes but wait | Yes, but first show me the list
  ok but rename it first | yes if it has no dependencies | yes, if nobody uses it | yes unless Bob objects
  yes, provided that it can be undone | yes when the export is done | yes after you have made a backup
  yes and also delete the loot system | yes, and then the other one | yes the other one | yes, the second one
  yes to the first | yes delete the combat system | yes, send it to Bob | yes, no | yes no wait | yes, no wait
  yes... no | yes, wait | yes actually no | no wait, yes | no, yes | no, do it | no, go ahead | no ok | ok no
  ok, cancel | ok stop | yes, stop | yes, cancel | yes, don't | yes do not | not yes | not no | no yes
  don't stop | do not stop | please don't stop | don't cancel | do not cancel | never stop | never cancel
  don't reject it | don't do it, do it | maybe | perhaps | later | not now | not yet | wait | hold on | hmm
  I think so | I guess so | probably | if you think so | whatever | up to you | you decide | as you like
  please | thanks | thank you | ok thanks | Okay, thank you | thanks, ok | fine, thanks | good | great | nice
  got it | understood | I see | right | "yes" | 'yes' | “yes” | „ja“ | «oui» | > yes | > yes do it | \`yes\`
  **yes** | (yes) | [yes] | yes/no | y/n | yes: delete it | say yes | he said yes | The e-mail says yes
  reply yes | Bob says yes, do it | answer: yes | I would say yes | type yes to confirm
  yes yes yes yes yes yes | yesterday | yes1 | 1 | true | confirm all | approve everything | delete it
  send it | yes, delete it | Can you explain? | tell me more | show me | yes… | yes... | ok.. | yes 👎 | no 👍
  👍👎 | 🙂 | 🙏 | 🤔 | 🎉 | yes 🤔 | 👍? | ja? | ok? | wirklich? | was würde gelöscht? | was passiert dann?
  welches denn? | warum? | ja, aber | ja, aber nur das erste | ja, aber erst morgen | ja aber vorher sichern
  ja, wenn es niemand nutzt | ja, falls das geht | ja, sofern nichts davon abhängt
  ja, sobald der Export fertig ist | ja, und auch das andere | ja, das andere | ja, das zweite | ja zum ersten
  ja, lösch das Kampfsystem | ja, nein | ja nein doch nicht | ja, warte | ja, doch nicht | ja, lieber nicht
  nein, doch | nein, mach das | nein, ja | nein warte | ok, doch nicht | ja, abbrechen | ja stopp
  nicht abbrechen | bitte nicht abbrechen | lieber nicht abbrechen | auf keinen Fall abbrechen
  niemals stoppen | nicht ja | kein ja | vielleicht | später | jetzt nicht | noch nicht | warte | Moment
  mal sehen | ich glaube schon | wahrscheinlich | wie du meinst | egal | mir egal | entscheide du | bitte
  danke | ok danke | gut, danke | alles klar | verstanden | alles gut | aha | sag ja | er sagt ja
  in der Mail steht ja | ja sagen | jagen | jahr | ja ja ja ja ja ja | ja/nein | lösch es | sende es
  ja, sende es an Bob | erklär das bitte | zeig mir mehr | ja… | ja 👎 | oui | sí | да | 是 | はい | evet
`)

describe('readConfirmation', () => {
  it('is tried on several hundred phrasings', () => {
    expect([yes.length, no.length, other.length].map((count) => count >= 100)).toEqual([true, true, true])
  })

  for (const language of ['en', 'de'] as const) {
    it.each(yes)(`reads %j as yes in a pack in ${language}`, (text) => {
      expect(readConfirmation(text, language)).toBe('yes')
    })
    it.each(no)(`reads %j as no in a pack in ${language}`, (text) => {
      expect(readConfirmation(text, language)).toBe('no')
    })
    it.each(other)(`decides nothing on %j in a pack in ${language}`, (text) => {
      expect(readConfirmation(text, language)).toBe('other')
    })
  }

  it('reads the short words of a language only in its packs', () => {
    expect(readConfirmation('y', 'en')).toBe('yes')
    expect(readConfirmation('y', 'de')).toBe('other')
    expect(readConfirmation('jo', 'de')).toBe('yes')
    expect(readConfirmation('jo', 'en')).toBe('other')
    expect(readConfirmation('ne', 'de')).toBe('no')
    expect(readConfirmation('ne', 'en')).toBe('other')
  })

  it('reads every listed phrase as what its list says', () => {
    for (const language of ['en', 'de'] as const) {
      const { everywhere, here } = confirmationWords[language]
      for (const words of [everywhere, here] as Partial<typeof everywhere>[]) // `here` has some of the kinds
        for (const [kind, phrases] of Object.entries(words)) {
          const expected = { yes: 'yes', ok: 'yes', no: 'no', stop: 'no', negation: 'no' }[kind] ?? 'other'
          for (const phrase of phrases) expect([phrase, readConfirmation(phrase, language)]).toEqual([phrase, expected])
        }
    }
    for (const sign of yesEmoji) expect(readConfirmation(sign, 'en')).toBe('yes')
    for (const sign of noEmoji) expect(readConfirmation(sign, 'en')).toBe('no')
  })

  it.each([
    ['a Cyrillic e', 'y\u0435s'],
    ['a Cyrillic o', '\u043ek'],
    ['a Cyrillic j and a', '\u0458\u0430'],
    ['a Greek omicron', '\u03bfk'],
    ['the Kelvin sign', 'o\u212a'],
    ['a Greek question mark', 'yes\u037e'],
    ['an Arabic question mark', 'yes\u061f'],
    ['a full-width word', '\uff59\uff45\uff53'],
    ['mathematical letters', '\u{1d432}\u{1d41e}\u{1d42c}'],
    ['a zero-width space', 'y\u200bes'],
    ['a zero-width joiner', 'yes\u200d'],
    ['a right-to-left override', '\u202esey'],
    ['a soft hyphen', 'y\u00ades'],
    ['tag characters', `yes${'\u{e006e}\u{e006f}'}`],
    ['a byte order mark', '\ufeffyes'],
    ['a combining mark', 'yes\u0336'],
    ['a dotless i', 'f\u0131ne'],
    ['a dotted capital I', 'F\u0130NE'],
    ['a long s', 'ye\u017f'],
    ['NUL', 'yes\u0000'],
    ['an escape', '\u001b[31myes'],
    ['a lone surrogate', 'yes\ud83d'],
    ['a line separator', 'yes\u2028'],
    ['an ideographic full stop', 'yes\u3002'],
  ])('decides nothing on %s', (_, text) => {
    expect(readConfirmation(text, 'en')).toBe('other')
    expect(readConfirmation(text, 'de')).toBe('other')
  })

  it('decides nothing on an empty or a very long message', () => {
    for (const text of [
      '',
      '   ',
      '\n',
      '.',
      '!!!',
      `yes${' '.repeat(200)}`,
      'yes '.repeat(30),
      'yes'.repeat(500_000),
    ]) {
      expect(readConfirmation(text, 'en')).toBe('other')
    }
  })

  it('reads blanks and line breaks around a word as nothing', () => {
    expect(readConfirmation('  yes \n', 'en')).toBe('yes')
    expect(readConfirmation('Nein\r\n\r\n', 'de')).toBe('no')
    expect(readConfirmation('yes\nplease', 'en')).toBe('yes')
    expect(readConfirmation('yes\nno', 'en')).toBe('other')
  })

  it('never decides on a yes or a no with any further word', () => {
    const known = new Set([...yes, ...no].flatMap((line) => line.toLowerCase().split(/[^a-zäöüß'’]+/)))
    const listed = new Set(
      Object.values(confirmationWords).flatMap(({ everywhere, here }) =>
        [...Object.values(everywhere), ...Object.values(here)].flat().flatMap((phrase) => phrase.split(' ')),
      ),
    )
    const word = fc
      .stringMatching(/^[a-z]{1,12}$/)
      .filter((candidate) => !known.has(candidate) && !listed.has(candidate))
    fc.assert(
      fc.property(
        fc.constantFrom('yes', 'no', 'ja', 'nein', 'do it', 'mach das', 'stop'),
        word,
        fc.boolean(),
        (phrase, extra, before) => {
          const text = before ? `${extra} ${phrase}` : `${phrase} ${extra}`
          expect(readConfirmation(text, 'de')).toBe('other')
        },
      ),
    )
  })

  it('never reads anything with a question mark, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        expect(['yes', 'no', 'other']).toContain(readConfirmation(text, 'en'))
        expect(readConfirmation(`${text}?`, 'de')).toBe('other')
      }),
    )
  })
})
