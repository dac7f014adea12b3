import { GAP } from '../infer/read-words.ts'
import { listWords } from '../infer/word-list.ts'
import { ATTACK_RULES, NAME_RULES } from './attack-rules.ts'
import { CONCEALMENT_RULES } from './concealment-rules.ts'
import { DATA_RULES } from './data-rules.ts'
import { DIVERSION_RULES } from './diversion-rules.ts'
import { type FoldedText, toOriginalSpan } from './fold-text.ts'
import { INSTRUCTION_RULES } from './instruction-rules.ts'
import type { TokenClass } from './lexicon.ts'
import { compilePattern, type Match, matchPattern, openingOf, type Pattern } from './pattern.ts'
import type { PhraseRule } from './phrase-rule.ts'
import { readTokens } from './read-tokens.ts'
import type { ScanSeverity, TextFinding } from './scan-finding.ts'
import type { Token } from './token.ts'
import { TOOL_RULES } from './tool-rules.ts'

interface Entry {
  readonly rule: PhraseRule
  readonly pattern: Pattern
}

/** Patterns by the words and classes that can come first. At each token, only those that can start there are tried. */
type Index = ReadonlyMap<string, readonly Entry[]>

/** Maximum number of findings for one rule in a text. */
const MAX_PER_RULE = 3
/** How many tokens back to look for context that shows that something is only mentioned. */
const LOOK_BACK = 14
const LOOK_AHEAD = 2

const NEGATIONS = new Set(listWords("not never don't dont cannot can't doesn't"))
const ACTS: ReadonlySet<TokenClass> = new Set(['send', 'put', 'read', 'leak', 'divert', 'tamper'])

interface Indexes {
  readonly prose: Index
  readonly names: Index
}

let built: Indexes | undefined

/** Compiles the patterns at the first scan, to keep importing the package fast. */
function indexes(): Indexes {
  built ??= {
    prose: indexRules([
      ...INSTRUCTION_RULES,
      ...CONCEALMENT_RULES,
      ...DATA_RULES,
      ...DIVERSION_RULES,
      ...TOOL_RULES,
      ...ATTACK_RULES,
    ]),
    names: indexRules(NAME_RULES),
  }
  return built
}

function indexRules(rules: readonly PhraseRule[]): Index {
  const index = new Map<string, Entry[]>()
  for (const rule of rules) {
    for (const pattern of rule.patterns.map(compilePattern)) {
      for (const opening of openingOf(pattern)) {
        index.set(opening, [...(index.get(opening) ?? []), { rule, pattern }])
      }
    }
  }
  return index
}

/** Returns all findings about what a text means. */
export function findPhrases(text: FoldedText, isName = false): readonly TextFinding[] {
  // Compiling the patterns comes first, because tokens refer to the words in them.
  const index = isName ? indexes().names : indexes().prose
  const tokens = readTokens(text, isName)
  const found: TextFinding[] = []
  const seen = new Map<PhraseRule, { count: number; until: number }>()
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined || (token.classes.length === 0 && token.mention === undefined)) continue
    for (const { rule, pattern } of candidatesFor(index, token)) {
      const state = seen.get(rule) ?? { count: 0, until: 0 }
      if (state.count === MAX_PER_RULE || at < state.until) continue
      const match = matchPattern(pattern, tokens, at)
      if (match === undefined || (rule.negatable === true && isNegated(tokens, match))) continue
      found.push(describe(text, tokens, { rule, match }))
      seen.set(rule, { count: state.count + 1, until: match.end + 1 })
    }
  }
  return found
}

const NONE: readonly Entry[] = []

/** The patterns for the classes of a word, which are always the same list. */
const knownEntries = new WeakMap<Index, WeakMap<readonly TokenClass[], readonly Entry[]>>()

/** Returns the patterns that can start at a token. Most words start none and cost no lookup. */
function candidatesFor(index: Index, { mention, classes }: Token): readonly Entry[] {
  const own = mention === undefined ? NONE : (index.get(mention) ?? NONE)
  if (classes.length === 0) return own
  const known = knownEntries.get(index) ?? new WeakMap<readonly TokenClass[], readonly Entry[]>()
  knownEntries.set(index, known)
  let others = known.get(classes)
  if (others === undefined) {
    others = classes.flatMap(name => index.get(name) ?? NONE)
    known.set(classes, others)
  }
  return own.length === 0 ? others : [...own, ...others]
}

function describe(
  text: FoldedText,
  tokens: readonly Token[],
  { rule, match }: { rule: PhraseRule; match: Match },
): TextFinding {
  const start = tokens[match.at]?.start ?? 0
  const end = tokens[match.end]?.end ?? start
  return {
    rule: rule.id,
    severity: weigh(rule, tokens, match),
    span: toOriginalSpan(text, start, end),
    reason: rule.reason,
  }
}

const STEP_DOWN: Readonly<Record<ScanSeverity, ScanSeverity>> = { high: 'medium', medium: 'low', low: 'low' }

/**
 * Returns the severity of a match. An example weighs less, but still counts, because an attacker can also call a text
 * an example.
 */
function weigh(rule: PhraseRule, tokens: readonly Token[], match: Match): ScanSeverity {
  if (isHarmless(rule, tokens, match)) return 'low'
  return hasBefore(tokens, match.at, 'sample') ? STEP_DOWN[rule.severity] : rule.severity
}

function isHarmless({ harmless }: PhraseRule, tokens: readonly Token[], match: Match): boolean {
  const isQuoted = tokens[match.at]?.quoted === true && tokens[match.end]?.quoted === true
  if (harmless === 'quoted' && !isQuoted) return false
  return (
    hasBefore(tokens, match.at, 'defend') || (harmless === 'defended' && isDefendedAfter(tokens, match.end))
  )
}

/**
 * Returns true if there is a negation just before the match ("never send"), or within it just before an action ("must
 * not be sent").
 */
function isNegated(tokens: readonly Token[], { at, end }: Match): boolean {
  for (let place = Math.max(0, at - 2); place < end; place += 1) {
    if (!NEGATIONS.has(tokens[place]?.word ?? '')) continue
    const reach = place < at ? at : place + 2
    const ruled = tokens.slice(place + 1, reach + 1)
    if (ruled.some(({ gap }) => gap > GAP.space)) continue
    const isDouble = tokens.slice(place + 1, reach).some(({ classes }) => classes.includes('failing'))
    const isAct = place < at || ruled.some(({ classes }) => classes.some(name => ACTS.has(name)))
    if (isAct && !isDouble) return true
  }
  return false
}

function hasBefore(tokens: readonly Token[], from: number, name: TokenClass): boolean {
  for (let at = from; at > 0 && at > from - LOOK_BACK; at -= 1) {
    if ((tokens[at]?.gap ?? GAP.sentence) >= GAP.sentence) return false
    if (tokens[at - 1]?.classes.includes(name) === true) return true
  }
  return false
}

function isDefendedAfter(tokens: readonly Token[], from: number): boolean {
  for (let at = from + 1; at <= from + LOOK_AHEAD; at += 1) {
    if ((tokens[at]?.gap ?? GAP.sentence) >= GAP.clause) return false
    if (tokens[at]?.classes.includes('defend') === true) return true
  }
  return false
}
