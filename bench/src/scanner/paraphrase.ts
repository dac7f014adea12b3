/**
 * Ways to say the same in other words, applied to texts without looking at the scanner's lists. How many malicious rows are
 * still found in a new form predicts better than the rows themselves how the scanner does on attacks that it has not seen.
 */
export const FORMS = [
  'synonyms',
  'other synonyms',
  'blind synonyms',
  'polite',
  'third person',
  'other order',
  'without markup',
  'all together',
  'all together, blind',
] as const

export type Form = (typeof FORMS)[number]

/** Words with three others that mean about the same, from a thesaurus. Verbs are in their base form. */
const SYNONYMS: readonly (readonly [word: string, first: string, second: string, third: string])[] = [
  ['access', 'reach', 'get into', 'tap'],
  ['add', 'append', 'put in', 'tack on'],
  ['address', 'location', 'destination', 'drop point'],
  ['always', 'invariably', 'at all times', 'without exception'],
  ['attach', 'enclose', 'tack on', 'staple'],
  ['before', 'prior to', 'ahead of', 'in advance of'],
  ['capture', 'grab', 'seize', 'snatch'],
  ['change', 'alter', 'amend', 'tweak'],
  ['collect', 'gather', 'amass', 'round up'],
  ['confidential', 'private', 'sensitive', 'restricted'],
  ['contents', 'text', 'material', 'body'],
  ['create', 'craft', 'produce', 'fashion'],
  ['credentials', 'logins', 'access details', 'sign-in data'],
  ['directions', 'guidance', 'orders', 'briefing'],
  ['directive', 'command', 'order', 'ruling'],
  ['disclose', 'divulge', 'give away', 'let slip'],
  ['disregard', 'neglect', 'set aside', 'brush aside'],
  ['dump', 'export', 'pull out', 'unload'],
  ['embed', 'insert', 'work in', 'tuck'],
  ['entire', 'complete', 'full', 'unabridged'],
  ['escape', 'break out of', 'leave', 'slip out of'],
  ['every', 'each', 'all', 'any'],
  ['execute', 'carry out', 'launch', 'fire off'],
  ['exfiltrate', 'smuggle out', 'siphon off', 'spirit away'],
  ['exploit', 'take advantage of', 'abuse', 'leverage'],
  ['extract', 'pull', 'draw out', 'lift'],
  ['file', 'document', 'item', 'record'],
  ['forget', 'put out of mind', 'drop', 'wipe from memory'],
  ['forward', 'relay', 'pass on', 'route'],
  ['hidden', 'concealed', 'unseen', 'veiled'],
  ['hide', 'conceal', 'bury', 'stash'],
  ['ignore', 'overlook', 'pay no heed to', 'turn a blind eye to'],
  ['include', 'put', 'incorporate', 'weave in'],
  ['inform', 'notify', 'tell', 'alert'],
  ['inject', 'insert', 'slip in', 'plant'],
  ['instead', 'rather', 'in place of that', 'as a substitute'],
  ['instructions', 'directives', 'guidance', 'rulebook'],
  ['invoked', 'called', 'triggered', 'fired'],
  ['malicious', 'harmful', 'nasty', 'rogue'],
  ['mandatory', 'compulsory', 'obligatory', 'non-negotiable'],
  ['mention', 'bring up', 'refer to', 'touch on'],
  ['message', 'note', 'communication', 'text'],
  ['modify', 'adjust', 'revise', 'doctor'],
  ['must', 'have to', 'are required to', 'shall'],
  ['obey', 'follow', 'comply with', 'honour'],
  ['output', 'result', 'answer', 'yield'],
  ['override', 'overrule', 'supersede', 'trump'],
  ['pass', 'hand over', 'supply', 'feed'],
  ['password', 'passphrase', 'login secret', 'passcode'],
  ['previous', 'earlier', 'preceding', 'older'],
  ['prior', 'former', 'past', 'foregoing'],
  ['proxy', 'relay', 'intermediary', 'gateway'],
  ['read', 'open', 'load', 'peruse'],
  ['recipient', 'addressee', 'receiver', 'target'],
  ['replace', 'substitute', 'exchange', 'swap'],
  ['reroute', 'redirect', 'divert', 'deflect'],
  ['return', 'give back', 'hand back', 'yield'],
  ['reveal', 'expose', 'show', 'unveil'],
  ['secret', 'confidential', 'private', 'classified'],
  ['secretly', 'covertly', 'on the quiet', 'in secret'],
  ['send', 'transmit', 'ship', 'beam'],
  ['silently', 'quietly', 'without a word', 'unannounced'],
  ['steal', 'pilfer', 'lift', 'snatch'],
  ['stolen', 'pilfered', 'lifted', 'snatched'],
  ['tell', 'let know', 'inform', 'brief'],
  ['treat', 'regard', 'handle', 'view'],
  ['user', 'person', 'human', 'operator'],
  ['when', 'once', 'as soon as', 'the moment'],
  ['whenever', 'each time', 'every time that', 'any time'],
  ['without', 'lacking', 'with no', 'minus'],
]

const FIRST = new Map(SYNONYMS.map(([word, first]) => [word, first]))
const SECOND = new Map(SYNONYMS.map(([word, , second]) => [word, second]))
/** Never used to improve the scanner: nobody has looked at what is missed in this form. */
const THIRD = new Map(SYNONYMS.map(([word, , , third]) => [word, third]))

/** A text in another form. A text that a form does not apply to stays as it is. */
export function paraphrase(text: string, form: Form): string {
  switch (form) {
    case 'synonyms':
      return replaceWords(text, FIRST)
    case 'other synonyms':
      return replaceWords(text, SECOND)
    case 'blind synonyms':
      return replaceWords(text, THIRD)
    case 'polite':
      return soften(text)
    case 'third person':
      return putInThirdPerson(text)
    case 'other order':
      return reverseSentences(text)
    case 'without markup':
      return removeMarkup(text)
    case 'all together':
      return removeMarkup(soften(replaceWords(reverseSentences(text), SECOND)))
    case 'all together, blind':
      return removeMarkup(soften(replaceWords(reverseSentences(text), THIRD)))
  }
}

/** Replaces whole words, but not parts of paths, addresses and identifiers. */
function replaceWords(text: string, by: ReadonlyMap<string, string>): string {
  return text.replaceAll(/(?<![\w/.@:-])[A-Za-z]+(?![\w/@-]|\.\w|:\/)/g, word => {
    const lower = word.toLowerCase()
    const other = by.get(lower) ?? inflect(lower, by)
    if (other === undefined) return word
    return word === lower ? other : `${other.charAt(0).toUpperCase()}${other.slice(1)}`
  })
}

function inflect(word: string, by: ReadonlyMap<string, string>): string | undefined {
  const base = word.endsWith('s') ? by.get(word.slice(0, -1)) : undefined
  if (base === undefined) return undefined
  const [verb = '', ...rest] = base.split(' ')
  return [`${verb}${/(?:s|x|sh|ch)$/.test(verb) ? 'es' : 's'}`, ...rest].join(' ')
}

function soften(text: string): string {
  return text
    .replaceAll(/\byou must(?: first)?\b/gi, 'it would be kind if you would')
    .replaceAll(/\b(?:do not|don't|never) (?=[a-z])/gi, 'it is best not to ')
    .replaceAll(/\bmust\b/gi, 'should ideally')
    .replaceAll(
      /([.!]\s+)(?=(?:ignore|disregard|forget|read|send|pass|post|include)\b)/gi,
      '$1Would you mind and ',
    )
    .replaceAll(/\b(?:mandatory|required|essential)\b/gi, 'much appreciated')
}

function putInThirdPerson(text: string): string {
  return text
    .replaceAll(/\byou are\b/gi, 'the reader is')
    .replaceAll(/\byou (?:must|should|need to)\b/gi, 'the reader is expected to')
    .replaceAll(/\b(?:do not|don't) (?=[a-z])/gi, 'the reader does not ')
    .replaceAll(/\byour\b/gi, 'its')
    .replaceAll(/\byou\b/gi, 'the reader')
    .replaceAll(
      /([.!:>]\s+)(ignore|disregard|forget|read|send|pass|post|include)\b/gi,
      '$1The reader will $2',
    )
}

function reverseSentences(text: string): string {
  return text
    .split(/(?<=[.!?])\s+(?=\S)/)
    .toReversed()
    .join(' ')
}

function removeMarkup(text: string): string {
  return text
    .replaceAll(/<\/?[A-Za-z][\w -]{0,30}>/g, ' ')
    .replaceAll(/[[\]{}#*`]+/g, ' ')
    .replaceAll(/\b[A-Z]{3,}\b/g, word => word.toLowerCase())
}
