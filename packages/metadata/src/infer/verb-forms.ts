import { VERB_RULES, type VerbRule } from './verb-table.ts'

/** One form of a verb: "deletes" is the third person of "delete". */
export interface VerbForm {
  readonly rule: VerbRule
  readonly base: string
  readonly form: 'base' | 'third' | 'gerund'
  /** True if the word is equally often a noun. */
  readonly noun: boolean
}

const VOWELS = new Set(['a', 'e', 'i', 'o', 'u'])

/** Verbs that double their last letter, as in stop, stopping and submit, submitting. */
const DOUBLING = new Set(
  'get set put stop run plan ping pin tag drop cat dial submit commit skip ship swap split tap drag log scan chat ban cut let star map wrap trim'.split(
    ' ',
  ),
)

function toThird(base: string): string {
  const last = base.at(-1) ?? ''
  if (last === 'y' && !VOWELS.has(base.at(-2) ?? '')) return `${base.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh|o)$/.test(base) ? `${base}es` : `${base}s`
}

function toGerund(base: string): string {
  if (DOUBLING.has(base)) return `${base}${base.at(-1) ?? ''}ing`
  return base.endsWith('e') && !base.endsWith('ee') ? `${base.slice(0, -1)}ing` : `${base}ing`
}

function collectForms(): ReadonlyMap<string, VerbForm> {
  const bases: VerbForm[] = []
  for (const rule of VERB_RULES) {
    for (const base of rule.words) bases.push({ rule, base, form: 'base', noun: false })
    for (const base of rule.nouns ?? []) bases.push({ rule, base, form: 'base', noun: true })
  }
  const forms = new Map(bases.map(verb => [verb.base, verb]))
  for (const verb of bases) {
    // A spelling that is both a base form and a derived form counts as the base form, so it belongs to only one rule.
    const third = toThird(verb.base)
    const gerund = toGerund(verb.base)
    if (!forms.has(third)) forms.set(third, { ...verb, form: 'third' })
    if (!forms.has(gerund)) forms.set(gerund, { ...verb, form: 'gerund' })
  }
  return forms
}

const FORMS = collectForms()

/** Finds the verb for a lower-case word in any form except the past participle ("deleted"), which describes a state. */
export function findVerb(word: string): VerbForm | undefined {
  return FORMS.get(word)
}

/** Finds the verb for a word in a name. Names use the base form, so "updates" in a name is a noun. */
export function findBaseVerb(word: string): VerbForm | undefined {
  const form = FORMS.get(word)
  return form?.form === 'base' ? form : undefined
}
