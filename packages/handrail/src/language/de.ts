import type { Risk } from '../tool/tool.ts'
import type { Sentences } from './sentences.ts'

const risks: Record<Risk, string> = { low: 'gering', medium: 'mittel', high: 'hoch' }

export const de: Sentences = {
  callRunning: ({ tool }) => `Läuft: ${tool}`,
  callAwaitingApproval: ({ tool }) => `Wartet auf Freigabe: ${tool}`,
  callDone: ({ tool }) => `Erledigt: ${tool}`,
  callFailed: ({ tool }) => `Fehlgeschlagen: ${tool}`,
  callFailedBecause: ({ tool, reason }) => `Fehlgeschlagen: ${tool}. ${reason}`,
  callRefused: ({ tool, reason }) => `Verweigert: ${tool}. ${reason}`,
  callDeclined: ({ tool }) => `Abgelehnt: ${tool}. Es wurde nichts geändert`,
  callExpired: ({ tool }) => `Verfallen, bevor es ausgeführt wurde: ${tool}. Es wurde nichts geändert`,
  callCancelled: ({ tool }) => `Abgebrochen: ${tool}`,
  callUnknown: ({ tool }) => `Ausgang unbekannt: ${tool}. Es kann geschehen sein oder auch nicht`,

  unknownTool: ({ name }) => `Ein Werkzeug \`${name}\` gibt es nicht.`,
  nearestTools: ({ names }) =>
    names.length > 0
      ? `Gemeint sein könnte ${list(names, 'oder')}.`
      : 'Verwende eines der Werkzeuge, die du bekommen hast.',
  ambiguousTool: ({ name, packs }) =>
    `Das Werkzeug \`${name}\` gibt es mehrfach: ${list(packs, 'und')}. Gib an, welches Paket gemeint ist.`,
  toolGone: ({ tool }) => `Das Werkzeug \`${tool}\` ist nicht mehr installiert.`,
  inputNotJson: () => 'Die Angaben sind kein gültiges JSON.',
  inputNotJsonNext: () => 'Sende die Angaben als ein einziges JSON-Objekt.',
  unfitInput: (problem) => {
    switch (problem.kind) {
      case 'too-large':
        return `Die Angaben sind zu groß: höchstens ${problem.limit.toLocaleString('de')} Byte JSON werden angenommen.`
      case 'too-deep':
        return `Die Angaben sind zu tief verschachtelt: höchstens ${problem.limit} Ebenen werden angenommen.`
      case 'unsafe-key':
        return `Der Schlüssel \`${problem.key}\` wird nicht angenommen.`
      case 'not-json':
        return `${place(problem.path)} enthält einen Wert, den es in JSON nicht gibt.`
      case 'control-text':
        return `${place(problem.path)} enthält ein NUL-Zeichen oder ein halbes Surrogatpaar.`
    }
  },
  invalidInput: ({ tool, issues }) =>
    `Die Angaben für \`${tool}\` sind nicht gültig. ${issues.map(({ path, message }) => (path === '' ? message : `\`${path}\`: ${message}`)).join('; ')}.`,
  validationNext: ({ tool }) => `Berichtige die Angaben und rufe \`${tool}\` erneut auf. Es wurde nichts geändert.`,

  forbiddenRole: ({ tool, role }) =>
    role === ''
      ? `Ihnen fehlt eine Rolle, die „${tool}“ erlaubt.`
      : `Die Rolle ${role} darf „${tool}“ nicht verwenden.`,
  badScope: ({ pack }) =>
    `Worum es in dieser Unterhaltung geht, ist nicht festgelegt oder für ${pack} nicht gültig. Das wählt der Mensch aus.`,
  callNotFound: () => 'Dieser Aufruf wurde nicht gefunden.',
  approvalNotFound: () => 'Diese Anfrage zur Freigabe wurde nicht gefunden.',
  threadNotFound: () => 'Diese Unterhaltung wurde nicht gefunden.',

  keyReused: ({ tool }) =>
    `Dieser Schlüssel wurde für „${tool}“ schon mit anderen Angaben verwendet. Es wurde nichts ausgeführt.`,
  keyReusedNext: () =>
    'Verwende für einen neuen Aufruf einen neuen Schlüssel oder wiederhole den Aufruf mit genau denselben Angaben.',
  inProgress: ({ tool, callId }) => `„${tool}“ wird bereits ausgeführt (Aufruf ${callId}).`,
  inProgressNext: ({ callId }) => `Das Ergebnis steht bei Aufruf ${callId}. Starte ihn nicht ein zweites Mal.`,
  rateLimited: ({ tool, limit, retryAt }) =>
    `Die Grenze von ${limit.toLocaleString('de')} Aufrufen je Stunde ist erreicht; „${tool}“ wurde nicht ausgeführt.${retryAt ? ` Wieder möglich ab ${moment(retryAt)}.` : ''}`,
  leaseLost: () => 'Ein anderer Prozess hat diesen Lauf übernommen. Hier wurde nichts ausgeführt.',

  policyFailed: () => 'Die Regeln konnten nicht geprüft werden, deshalb wurde nichts ausgeführt.',
  nobodyToAsk: ({ tool }) =>
    `„${tool}“ braucht die Freigabe eines Menschen, und hier kann niemand gefragt werden. Es wurde nichts ausgeführt.`,
  askAlways: ({ tool }) => `„${tool}“ braucht immer die Freigabe eines Menschen.`,
  askDelete: ({ tool }) => `„${tool}“ löscht endgültig.`,
  askAction: ({ tool }) => `„${tool}“ setzt etwas in Gang, das sich nicht einfach rückgängig machen lässt.`,
  askExternal: ({ tool }) => `„${tool}“ ändert etwas außerhalb dieses Arbeitsbereichs.`,
  askEgress: ({ tool }) => `„${tool}“ kann Daten aus diesem Arbeitsbereich hinausgeben.`,
  askAfterUntrusted: ({ tool }) =>
    `„${tool}“ kann Daten hinausgeben, und diese Unterhaltung enthält Text von außen. Wohin sie gehen, haben Sie nicht genannt.`,
  askUnsettled: ({ tool, description }) =>
    `Von einem früheren „${tool}“ ist der Ausgang unbekannt; es kann schon geschehen sein: ${description}`,

  timeout: ({ tool }) => `„${tool}“ hat zu lange gedauert und wurde angehalten. Es wurde nichts geändert.`,
  timeoutNext: () => 'Versuche es noch einmal oder frage weniger auf einmal ab.',
  unknownOutcome: ({ tool }) => `Ob „${tool}“ geschehen ist, ist nicht bekannt: Es kam keine Antwort.`,
  unknownOutcomeNext: () =>
    'Wiederhole es nicht. Sage es dem Menschen; er kann draußen nachsehen und festhalten, was geschehen ist.',
  cancelled: ({ tool }) => `„${tool}“ wurde abgebrochen. Es wurde nichts geändert.`,
  toolThrew: ({ tool }) => `„${tool}“ ist an einem internen Fehler gescheitert. Es wurde nichts geändert.`,
  invalidOutput: ({ tool }) => `Das Ergebnis von „${tool}“ hat nicht die zugesagte Form.`,
  storeUnavailable: () =>
    'Die Datenbank ist nicht erreichbar, deshalb wurde nichts ausgeführt. Bitte gleich noch einmal versuchen.',

  askedByCard: ({ tool }) => `„${tool}“ wartet auf die Freigabe eines Menschen. Bisher wurde nichts ausgeführt.`,
  askedInConversation: ({ tool }) =>
    `„${tool}“ braucht Ihre Bestätigung. Antworten Sie mit Ja, um es genau so auszuführen, oder mit Nein, um es zu verwerfen.`,
  askedAgainToolChanged: ({ tool }) =>
    `„${tool}“ hat sich seit der Freigabe geändert und muss deshalb neu freigegeben werden.`,
  askedAgainEdited: ({ tool }) =>
    `Die Angaben zu „${tool}“ wurden geändert. Das würde jetzt geschehen; es muss noch einmal freigegeben werden.`,
  withdrawn: ({ tool }) => `Die Anfrage zu „${tool}“ wurde zurückgezogen: Es wartet nichts mehr auf eine Freigabe.`,
  askedAgainBasisChanged: ({ tool }) =>
    `Was „${tool}“ ändern würde, ist nicht mehr dasselbe wie bei der Freigabe; es muss deshalb neu freigegeben werden.`,
  declined: ({ tool, reason }) =>
    `„${tool}“ wurde abgelehnt.${reason ? ` Begründung: „${reason}“.` : ''} Es wurde nichts geändert.`,
  declinedNext: () => 'Versuche es nicht auf einem anderen Weg. Frage, was stattdessen gewünscht ist.',
  expired: ({ tool }) => `Die Freigabe für „${tool}“ kam zu spät oder gar nicht. Es wurde nichts geändert.`,
  expiredNext: () => 'Rufe es erneut auf, wenn es noch gewünscht ist; dann wird neu gefragt.',
  notAsApproved: ({ tool }) =>
    `Was zu „${tool}“ gespeichert ist, ist nicht das, was freigegeben wurde. Es wurde nichts ausgeführt.`,
  mayNotDecide: () => 'Über diese Anfrage dürfen Sie nicht entscheiden.',
  alreadyDecided: ({ by, decision }) =>
    `${by === '' ? 'Jemand' : by} hat das bereits ${decision === 'approve' ? 'freigegeben' : 'abgelehnt'}.`,
  notUnknown: ({ status }) => `Hier ist nichts zu klären: Der Status dieses Aufrufs ist ${status}.`,
  settledHappened: ({ tool }) => `Von einem Menschen geklärt: „${tool}“ ist geschehen`,
  settledDidNotHappen: ({ tool }) => `Von einem Menschen geklärt: „${tool}“ ist nicht geschehen`,
  decidedLater: ({ decision, description }) => {
    if (decision === 'expired') return `Eine Anfrage zur Freigabe ist verfallen. ${description}`
    return `Eine wartende Anfrage wurde ${decision === 'approve' ? 'freigegeben' : 'abgelehnt'}. ${description}`
  },

  concludeNow: () =>
    'In diesem Lauf sind keine weiteren Aufrufe möglich. Antworte jetzt: was getan wurde, was nicht, und was du als Nächstes tun würdest.',
  stepLimitReached: ({ steps, done }) =>
    `Ich habe nach ${steps} ${steps === 1 ? 'Schritt' : 'Schritten'} angehalten; mehr ist auf einmal nicht vorgesehen. ${doneSoFar(done)}`,
  runFailed: () =>
    'Etwas ist schiefgegangen, ich konnte nicht fertig werden. Was bis dahin getan wurde, steht im Protokoll.',
  modelUnreachable: () => 'Das Sprachmodell ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
  runCancelled: () => 'Angehalten. Was schon getan ist, bleibt; weiter wird nichts ausgeführt.',
  runEndedWithoutAnswer: ({ done }) => `Eine weitere Antwort habe ich nicht. ${doneSoFar(done)}`,
  reportHeading: () => 'Geändert:',
  reportLine: ({ description }) => `- ${description}`,

  toolsHeading: () => '## Verfügbare Werkzeuge',
  toolLine: ({ name, description, risk, requiresApproval }) =>
    `- ${name}: ${description} (Risiko: ${risks[risk]}${requiresApproval ? ', braucht Freigabe' : ''})`,
  noTools: () => 'Zurzeit sind keine Werkzeuge verfügbar.',
  mentionChanges: () => 'Wenn du etwas geändert hast, sage in deiner Antwort, was du geändert hast.',
}

function list(names: readonly string[], conjunction: 'und' | 'oder'): string {
  return new Intl.ListFormat('de', { type: conjunction === 'und' ? 'conjunction' : 'disjunction' }).format(
    names.map((name) => `\`${name}\``),
  )
}

function place(path: string): string {
  return path === '' ? 'Die Eingabe' : `\`${path}\``
}

/** Without a time zone of the person, the time of the record. */
function moment(date: Date): string {
  const [day, time] = date.toISOString().split('T')
  return `${day?.split('-').reverse().join('.')}, ${time?.slice(0, 5)} Uhr (UTC)`
}

function doneSoFar(done: readonly string[]): string {
  return done.length === 0
    ? 'Es wurde nichts geändert.'
    : `Bisher erledigt:\n${done.map((line) => `- ${line}`).join('\n')}`
}
