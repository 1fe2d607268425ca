/**
 * What a phrase is within a reply. Every phrase stands for itself: `yes` and `do it` are a yes alone and together.
 * - `ok` is a weak yes: with thanks it only says that the message was read
 * - `negation` is a no that would turn what follows around (`don't` … `stop`), so nothing may follow it
 */
export type PhraseKind = 'yes' | 'ok' | 'no' | 'stop' | 'negation' | 'please' | 'thanks'

export type ConfirmationWords = Readonly<Record<PhraseKind, readonly string[]>>

export interface LanguageWords {
  /** Read whatever the pack's language is. */
  everywhere: ConfirmationWords
  /** Read only in a pack of this language: elsewhere they are too short or mean something else. */
  here: Partial<ConfirmationWords>
}

const en: LanguageWords = {
  everywhere: {
    yes: phrases(`
      yes, yess, yesss, yees, yse, yea, yeah, yeh, yep, yepp, yup, yupp, aye, affirmative, sure, sure thing,
      of course, certainly, definitely, absolutely, by all means, with pleasure, do it, do that, do so,
      just do it, do it now, please do, please do it, go, go ahead, go a head, go for it, go on then, make it so,
      let us do it, let's do it, lets do it, let's go, lets go, proceed, carry on, carry it out, run it, execute,
      execute it, you may, you may proceed, you can, confirm, confirmed, i confirm, i confirm it, i confirm this,
      i confirm that, confirm it, approve, approved, i approve, i approve it, i approve this, approve it,
      granted, permission granted, agreed, i agree, i do, i am sure, i'm sure, im sure, i want that, i want this,
      i want it, sounds good, sounds great, looks good, looks right, perfect do it, great do it, good to go,
      lgtm, that is fine, that's fine, thats fine, fine by me, fine with me, that's ok, that's okay,
      works for me
    `),
    ok: phrases(`
      ok, okay, okey, okey dokey, okidoki, okok, oki, okai, okk, kk, alright, all right, fine, very well
    `),
    no: phrases(`
      no, noo, nooo, nope, nop, nopes, nay, nah, negative, no no, i disagree, decline, declined, i decline,
      decline it, reject, rejected, i reject, reject it, refuse, i refuse, denied
    `),
    stop: phrases(`
      stop, stop it, stop that, stop this, halt, cancel, cancel it, cancel that, cancel this, cancelled,
      canceled, abort, abort it, abort that, discard, discard it, drop it, drop that, skip it, skip that,
      leave it, leave it be, leave it alone, forget it, forget that, forget about it, never mind, nevermind,
      scrap it, scrap that
    `),
    negation: phrases(`
      don't, dont, do not, don't do it, dont do it, do not do it, don't do that, dont do that, do not do that,
      don't do this, do not do this, don't proceed, do not proceed, don't go ahead, do not go ahead, not that,
      not this, don't run it, do not run it, let's not, lets not, let us not, never, no way, by no means,
      under no circumstances, not at all, absolutely not, certainly not, of course not, definitely not,
      rather not, i'd rather not, i would rather not, better not, preferably not, not ok, not okay, not approved,
      i don't want that, i don't want this, i don't want it, i do not want that, i do not want this,
      please do not, please do not do it, please do not do that
    `),
    please: phrases(`
      please, pls, plz, pleas, plese
    `),
    thanks: phrases(`
      thanks, thank you, thx, thankyou, many thanks, thanks a lot, thank you very much, cheers
    `),
  },
  here: {
    yes: phrases(`
      y, ye, ya
    `),
    ok: phrases(`
      k
    `),
    no: phrases(`
      n
    `),
  },
}

const de: LanguageWords = {
  everywhere: {
    yes: phrases(`
      ja, jaa, jaaa, jawohl, jap, japp, jep, jepp, jup, jupp, aber ja, ja gern, ja gerne, oh ja, gern, gerne,
      sehr gern, sehr gerne, klar, na klar, ja klar, klaro, logisch, natürlich, natuerlich, ja natürlich,
      selbstverständlich, selbstverstaendlich, sicher, aber sicher, ganz sicher, auf jeden fall, unbedingt,
      genau, ja genau, genau so, ich bin sicher, ich bin mir sicher, bin sicher, bin mir sicher, mach das,
      mach es, mach's, machs, mach mal, mach das mal, mach das so, mach es so, mach's so, machen sie das,
      machen sie es, machen sie das so, machen, tu das, tu es, tu's, tun sie das, tun sie es, leg los,
      legen sie los, los gehts, los geht's, nur zu, nur los, dann los, dann mach, ausführen, ausfuehren,
      führ es aus, führe es aus, führen sie es aus, durchführen, bestätigt, bestaetigt, bestätige, ich bestätige,
      ich bestätige das, ich bestätige es, bestätigen, hiermit bestätigt, genehmigt, ich genehmige,
      ich genehmige das, freigegeben, freigabe erteilt, ich gebe es frei, ich gebe das frei, freigeben, erlaubt,
      du darfst, sie dürfen, einverstanden, ich bin einverstanden, bin einverstanden, bin dafür, in ordnung,
      ist in ordnung, das ist in ordnung, geht klar, das passt, passt so, das passt so, so machen,
      so machen wir das, machen wir, machen wir so, das will ich, das möchte ich, ich will das, ich möchte das,
      klingt gut, hört sich gut an
    `),
    ok: phrases(`
      okee, okäy, na gut, also gut, meinetwegen, von mir aus, passt, gut, ist gut, ist ok, ist okay
    `),
    no: phrases(`
      nein, neinn, neiin, nien, nee, nö, nöö, noe, nein nein, aber nein, oh nein, ach nein, abgelehnt, ablehnen,
      ich lehne ab, ich lehne das ab, lehne ab, verweigert, ich verweigere, ich bin dagegen, bin dagegen
    `),
    stop: phrases(`
      stopp, stoppen, abbrechen, abbruch, brich ab, brich das ab, brechen sie ab, verwerfen, verwirf das,
      verwirf es, vergiss es, vergiss das, vergessen sie es, lass es, lass das, lass's, lass mal, lass es sein,
      lassen sie es, lassen sie das, lassen wir das, lassen wir es, lassen wir's, lass gut sein, lass stecken
    `),
    negation: phrases(`
      nicht, mach das bitte nicht, mach es bitte nicht, machen sie das bitte nicht, nicht machen, nicht tun,
      nicht ausführen, nicht ausfuehren, mach das nicht, mach es nicht, mach's nicht, machs nicht, tu das nicht,
      tu es nicht, tu's nicht, machen sie das nicht, machen sie es nicht, tun sie das nicht, tun sie es nicht,
      das nicht, so nicht, nicht durchführen, nicht freigeben, keinesfalls, auf keinen fall, auf gar keinen fall,
      keineswegs, niemals, nie, natürlich nicht, sicher nicht, bestimmt nicht, lieber nicht, eher nicht,
      besser nicht, bloß nicht, bloss nicht, doch nicht, doch lieber nicht, gar nicht, überhaupt nicht,
      ich will das nicht, ich möchte das nicht, das will ich nicht, das möchte ich nicht, nicht einverstanden,
      ich bin nicht einverstanden, nicht genehmigt, nicht freigegeben
    `),
    please: phrases(`
      bitte, bitte schön, bitteschön
    `),
    thanks: phrases(`
      danke, danke schön, dankeschön, danke dir, danke ihnen, vielen dank, besten dank, herzlichen dank,
      danke sehr
    `),
  },
  here: {
    yes: phrases(`
      j, jo, jau, joo, los
    `),
    no: phrases(`
      n, ne
    `),
    please: phrases(`
      bite
    `),
  },
}

export const confirmationWords = { en, de } as const satisfies Record<string, LanguageWords>

/** Emoji that are an answer. Skin tones and the emoji variation are read as the same sign. */
export const yesEmoji: readonly string[] = ['👍', '✅', '✔', '☑', '👌', '🆗']
export const noEmoji: readonly string[] = ['👎', '❌', '✖', '🚫', '🛑', '🙅']
/** Emoji that say nothing beside a word. */
export const friendlyEmoji: readonly string[] = ['🙂', '😊', '😀', '😃', '😄', '😁', '🙏', '🎉', '❤', '☺', '🙌', '🚀']

/** A comma-separated list. */
function phrases(list: string): string[] {
  return list.split(',').map((phrase) => phrase.trim())
}
