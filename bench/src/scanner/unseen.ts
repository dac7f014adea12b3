import { isSuspicious, scanTool } from '@hintgate/metadata'
import { groupBy, mean } from '../inference/score.ts'
import type { LabelledRow, VendorTool } from './load-rows.ts'
import { FORMS, paraphrase } from './paraphrase.ts'

/** Shares of rows that were flagged. */
export interface Shares {
  readonly name: string
  /** Malicious rows that hide an attack in a tool. */
  readonly poisoned: number
  /** Malicious rows in which a tool says that it attacks something. */
  readonly overt: number
  readonly recall: number
  /** The mean over sources, and over the tactics of the largest source. */
  readonly recallOverGroups: number
  readonly benign: number
  readonly vendors: number
}

export const WITHOUT_OWN_WORDS = 'without the words of their own group'

const OVERT = 'overtly_malicious_tool'
/** One in seven is enough to show what a form does to ordinary descriptions. */
const EVERY = 7
/** Stands for a word that no rule knows. */
const UNKNOWN = 'zxq'
const WORD = /(?<![\w/.@:-])[A-Za-z]{3,}(?![\w/@-]|\.\w|:\/)/g

/**
 * Rows of one group were written together. The largest source is split by tactic, which is the first word of its tools'
 * names, because it has three quarters of the malicious rows.
 */
function groupOf({ kind, source, definition }: LabelledRow): string {
  return kind === OVERT ? `${source} ${definition.name.split('_')[0] ?? ''}` : source
}

/** Scores the rows as they are, without the words that only their own group has, and said in other words. */
export function scoreUnseen(rows: readonly LabelledRow[], tools: readonly VendorTool[]): readonly Shares[] {
  const sample = tools.filter((_, at) => at % EVERY === 0)
  const forget = forgetOwnWords(rows, tools)
  const said = FORMS.map(form => score(form, rows, { sample, change: text => paraphrase(text, form) }))
  const whole = score('as they are', rows, { sample: tools, change: text => text })
  const unseen = score(WITHOUT_OWN_WORDS, rows, { sample: [], change: forget })
  return [unseen, ...said, whole]
}

type Change = (text: string, row: LabelledRow | undefined) => string

function score(
  name: string,
  rows: readonly LabelledRow[],
  { sample, change }: { readonly sample: readonly VendorTool[]; readonly change: Change },
): Shares {
  const judged = rows.map(row => {
    const { name: own, description } = row.definition
    const definition = {
      ...row.definition,
      name: own.replaceAll(/[a-z]+/gi, word => change(word, row)),
      description: change(String(description), row),
    }
    return { row, isFlagged: isSuspicious(scanTool(definition, row.context)) }
  })
  const malicious = judged.filter(({ row }) => row.isMalicious)
  const flagged = sample.map(({ definition }) => {
    const { description } = definition
    const changed = typeof description === 'string' ? change(description, undefined) : description
    return { isFlagged: isSuspicious(scanTool({ ...definition, description: changed })) }
  })
  return {
    name,
    poisoned: share(malicious.filter(({ row }) => row.kind !== OVERT)),
    overt: share(malicious.filter(({ row }) => row.kind === OVERT)),
    recall: share(malicious),
    recallOverGroups: mean([...groupBy(malicious, ({ row }) => groupOf(row)).values()].map(share)),
    benign: share(judged.filter(({ row }) => !row.isMalicious)),
    vendors: share(flagged),
  }
}

function share(judged: readonly { readonly isFlagged: boolean }[]): number {
  return judged.filter(({ isFlagged }) => isFlagged).length / judged.length
}

/**
 * Replaces the words of a malicious row that neither another group nor a benign text has. A rule that knows such a word may
 * know it from this row alone, so what is still found does not depend on it.
 */
function forgetOwnWords(rows: readonly LabelledRow[], tools: readonly VendorTool[]): Change {
  const groupsOf = new Map<string, Set<string>>()
  const note = (text: unknown, group: string): void => {
    for (const word of typeof text === 'string' ? listWords(text) : []) {
      const own = groupsOf.get(word)
      if (own === undefined) groupsOf.set(word, new Set([group]))
      else own.add(group)
    }
  }
  for (const row of rows) {
    const group = row.isMalicious ? groupOf(row) : 'benign'
    note(row.definition.description, group)
    note(row.definition.name, group)
  }
  for (const { definition } of tools) note(definition.description, 'benign')
  return (text, row) => {
    if (row?.isMalicious !== true) return text
    return text.replaceAll(WORD, word => {
      const isOwn = listWords(word).every(part => (groupsOf.get(part)?.size ?? 0) <= 1)
      return isOwn ? UNKNOWN : word
    })
  }
}

function listWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]{3,}/g) ?? []
}
