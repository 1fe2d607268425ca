const lookBack = 240
/** Words that present what follows as something to look at, at the end of the last sentence before it. */
const presenting =
  /\b(?:for example|for instance|e\.g\.|examples?|sample|such as|looks? like|would look|like this|syntax|schema|template|documentation|zum beispiel|z\. ?b\.|beispiel\w*|sieht so aus|sähe so aus|aussehen|wie folgt aus|schreibweise|vorlage|muster)(?![\w-])[^.!?\n]{0,120}$/iu
/** The same for JSON that no mark tells from an answer in JSON. */
const presentingData =
  /\b(?:json|payload|request body|body|object|format\w*|response|output|config\w*|structure|definition|document|antwort|objekt|aufbau|struktur|ausgabe)(?![\w-])[^.!?\n]{0,80}[:：]\s*$/iu
/** The model says that it is about to act. */
const acting =
  /\b(?:let me|let's|i'll|i’ll|i will|i am going to|i'm going to|calling|i need to|ich rufe|ich werde|lass mich)\b[^.!?\n]{0,160}$/iu

/**
 * Whether what stands before a call presents it as an example: "A call looks like this:". Only the last sentence
 * counts.
 *
 * @param unmarked the call bears no mark of its own: then JSON that is announced as JSON is an answer.
 */
export function presentsExample(before: string, unmarked: boolean): boolean {
  const recent = before.slice(-lookBack).trimEnd()
  const sentence = recent.slice(recent.lastIndexOf('\n') + 1)
  if (acting.test(sentence)) return false
  return presenting.test(sentence) || (unmarked && presentingData.test(sentence))
}
