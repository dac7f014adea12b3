import type { Part } from './injection-parts.ts'

/** Parts that must stand in one sentence, in this order and close together; or in any order, anywhere in it. */
export interface InjectionRule {
  readonly id: string
  readonly parts: readonly (readonly Part[])[]
  /** In order, with at most so many words from one part to the next; absent: any order. */
  readonly within?: number
  /** Only in a question, or only in an order that opens its sentence. */
  readonly only?: 'question' | 'order'
  /** Not where the word is one of code. */
  readonly isSpoken?: true
  readonly confidence: number
}

/**
 * From 0.8 on a rule is about talking to a model and hardly anything else; below, honest letters and chats
 * say such things too.
 */
export const INJECTION_RULES: readonly InjectionRule[] = [
  {
    id: 'sets-instructions-aside',
    parts: [['ignore'], ['prior', 'instruction']],
    within: 7,
    confidence: 0.9,
  },
  // Languages that put the verb last.
  { id: 'sets-instructions-aside', parts: [['instruction'], ['ignore']], within: 7, confidence: 0.85 },
  { id: 'sets-source-aside', parts: [['ignore'], ['source']], within: 5, confidence: 0.85 },
  { id: 'sets-source-aside', parts: [['source'], ['ignore']], within: 5, confidence: 0.8 },
  { id: 'asks-for-secret', parts: [['secret'], ['tell']], confidence: 0.75 },
  { id: 'asks-for-secret', parts: [['secret']], only: 'question', confidence: 0.6 },
  { id: 'asks-for-secret', parts: [['secret']], only: 'order', confidence: 0.6 },
  { id: 'asks-for-personal-data', parts: [['personal'], ['tell']], confidence: 0.7 },
  { id: 'asks-for-personal-data', parts: [['personal']], only: 'question', confidence: 0.55 },
  { id: 'pretext', parts: [['pretext'], ['secret', 'personal', 'tell', 'say']], confidence: 0.75 },
  { id: 'pretext', parts: [['pretext']], confidence: 0.4 },
  { id: 'pretext', parts: [['pretext']], only: 'question', confidence: 0.45 },
  { id: 'claims-authority', parts: [['authority']], confidence: 0.55 },
  {
    id: 'claims-authority',
    parts: [['authority'], ['tell', 'secret', 'personal', 'pressure', 'role']],
    confidence: 0.8,
  },
  { id: 'changes-role', parts: [['role']], confidence: 0.7 },
  { id: 'changes-role', parts: [['role'], ['ignore', 'reply', 'tell']], confidence: 0.85 },
  { id: 'other-alphabet', parts: [['encode'], ['tell', 'reply', 'secret', 'personal']], confidence: 0.75 },
  { id: 'other-alphabet', parts: [['encode']], only: 'question', isSpoken: true, confidence: 0.55 },
  { id: 'other-alphabet', parts: [['encode']], only: 'order', isSpoken: true, confidence: 0.5 },
  { id: 'shapes-answer', parts: [['reply']], only: 'order', confidence: 0.65 },
  { id: 'shapes-answer', parts: [['reply'], ['say', 'encode', 'code']], confidence: 0.75 },
  { id: 'puts-words-in-mouth', parts: [['say']], isSpoken: true, confidence: 0.5 },
  { id: 'puts-words-in-mouth', parts: [['ignore', 'pretext', 'role'], ['say']], confidence: 0.9 },
  { id: 'plants-code', parts: [['code'], ['reply']], confidence: 0.75 },
  { id: 'turns-elsewhere', parts: [['turn']], only: 'question', confidence: 0.5 },
  { id: 'presses', parts: [['pressure']], confidence: 0.5 },
  { id: 'presses', parts: [['pressure'], ['tell', 'secret', 'personal']], confidence: 0.8 },
  { id: 'asks-for-instructions', parts: [['leak']], only: 'order', confidence: 0.8 },
  { id: 'asks-for-instructions', parts: [['leak']], only: 'question', confidence: 0.7 },
  { id: 'wants-to-be-told', parts: [['tell']], only: 'question', confidence: 0.4 },
]
