import { GAP } from '../infer/read-words.ts'
import type { Token } from './token.ts'

/** The tokens that a pattern accepts at one position: those of one of the classes, or one of the words. */
interface Choice {
  readonly classes: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  /** Classes and words, written as in a token's `company`. */
  readonly names: readonly string[]
}

/** One step of a sequence: it follows after at most `reach` other tokens, with no gap wider than `gap` in between. */
interface Step extends Choice {
  readonly reach: number
  readonly gap: number
}

export type Pattern =
  | { readonly kind: 'sequence'; readonly startsSentence: boolean; readonly steps: readonly Step[] }
  | { readonly kind: 'bag'; readonly choices: readonly Choice[] }

/** The first and the last token of a match. */
export interface Match {
  readonly at: number
  readonly end: number
}

/** Maximum distance between the first choice of a bag and its other tokens. */
const BAG_REACH = 24

/**
 * Compiles a pattern. A sequence such as `'forget ~3 prior|whole -2 instruction'` lists classes in order. `~n` allows n
 * other tokens in between; `-n` does too, but no comma or bracket; `=word` matches the word itself; a leading `^`
 * requires the start of a clause. A bag such as `'secret & send & outside'` matches its classes in any order, close
 * together. Neither matches across the end of a sentence.
 */
export function compilePattern(source: string): Pattern {
  if (source.includes(' & ')) return { kind: 'bag', choices: source.split(' & ').map(parseChoice) }
  const steps: Step[] = []
  let reach = 0
  let gap: number = GAP.clause
  for (const part of source.replace('^', '').split(' ')) {
    if (/^[~-]\d+$/.test(part)) {
      reach = Number(part.slice(1))
      gap = part.startsWith('-') ? GAP.space : GAP.clause
    } else {
      steps.push({ ...parseChoice(part), reach, gap })
      reach = 0
      gap = GAP.clause
    }
  }
  return { kind: 'sequence', startsSentence: source.startsWith('^'), steps }
}

const mentions = new Map<string, string>()

/** Returns `=word` if a pattern names this word. Most words are in no pattern, so that they need no string of their own. */
export function mentionOf(word: string): string | undefined {
  return mentions.get(word)
}

function parseChoice(part: string): Choice {
  const choices = part.trim().split('|')
  for (const choice of choices) if (choice.startsWith('=')) mentions.set(choice.slice(1), choice)
  return {
    names: choices,
    classes: new Set(choices.filter(choice => !choice.startsWith('='))),
    words: new Set(choices.filter(choice => choice.startsWith('=')).map(choice => choice.slice(1))),
  }
}

/** Returns what the first token of a match can be: class names, and words after a `=`. */
export function openingOf(pattern: Pattern): readonly string[] {
  const first = pattern.kind === 'bag' ? pattern.choices[0] : pattern.steps[0]
  return first?.names ?? []
}

function fits({ classes, words }: Choice, token: Token | undefined): boolean {
  return token !== undefined && (words.has(token.word) || token.classes.some(own => classes.has(own)))
}

/**
 * Finds the shortest match that starts at the token `from`, with the pattern's first step or a bag's first choice. All
 * candidates of a step are followed at once: the cost is limited by the pattern's reach, however often its words are
 * repeated.
 */
export function matchPattern(pattern: Pattern, tokens: readonly Token[], from: number): Match | undefined {
  const choices = pattern.kind === 'bag' ? pattern.choices : pattern.steps
  const company = tokens[from]?.company
  if (company === undefined || !choices.every(({ names }) => names.some(name => company.has(name)))) {
    return undefined
  }
  return pattern.kind === 'bag'
    ? matchBag(pattern.choices, tokens, from)
    : matchSequence(pattern, tokens, from)
}

function matchSequence(
  { steps, startsSentence }: Extract<Pattern, { kind: 'sequence' }>,
  tokens: readonly Token[],
  from: number,
): Match | undefined {
  const opening = steps[0]
  if (opening === undefined || !fits(opening, tokens[from])) return undefined
  if (startsSentence && (tokens[from]?.gap ?? 0) < GAP.clause) return undefined
  let places: readonly number[] = [from]
  for (const step of steps.slice(1)) {
    places = advance(places, step, tokens)
    if (places.length === 0) return undefined
  }
  return { at: from, end: places[0] ?? from }
}

function advance(places: readonly number[], step: Step, tokens: readonly Token[]): readonly number[] {
  const next: number[] = []
  for (const place of places) {
    for (let at = place + 1; at <= place + 1 + step.reach; at += 1) {
      if ((tokens[at]?.gap ?? GAP.sentence) > step.gap) break
      if (at > (next.at(-1) ?? -1) && fits(step, tokens[at])) next.push(at)
    }
  }
  return next
}

function matchBag(choices: readonly Choice[], tokens: readonly Token[], from: number): Match | undefined {
  const opening = choices[0]
  if (opening === undefined || !fits(opening, tokens[from])) return undefined
  const taken = new Set([from])
  for (const choice of choices.slice(1)) {
    const place = findNearest(tokens, from, at => !taken.has(at) && fits(choice, tokens[at]))
    if (place === undefined) return undefined
    taken.add(place)
  }
  return { at: Math.min(...taken), end: Math.max(...taken) }
}

function findNearest(
  tokens: readonly Token[],
  from: number,
  accepts: (at: number) => boolean,
): number | undefined {
  let isBackOpen = true
  let isAheadOpen = true
  for (let distance = 1; distance <= BAG_REACH && (isBackOpen || isAheadOpen); distance += 1) {
    const back = from - distance
    isBackOpen &&= back >= 0 && (tokens[back + 1]?.gap ?? 0) < GAP.sentence
    if (isBackOpen && accepts(back)) return back
    const ahead = from + distance
    isAheadOpen &&= (tokens[ahead]?.gap ?? GAP.sentence) < GAP.sentence
    if (isAheadOpen && accepts(ahead)) return ahead
  }
  return undefined
}
