import {
  inferWith,
  LEARNED_QUESTIONS,
  LinearModel,
  readInferenceFeatures,
  type WeightTable,
} from '@hintgate/metadata'
import type { AnnotatedTool, Authored } from '../inference/load-tools.ts'
import type { JudgedTool } from '../inference/questions.ts'
import { groupBy } from '../inference/score.ts'
import {
  type Calibration,
  calibrate,
  type LabelledRow,
  type Lesson,
  learnTable,
  UNCALIBRATED,
} from './learn-table.ts'

export interface ToolRow extends LabelledRow {
  readonly tool: AnnotatedTool
  readonly siblings: readonly AnnotatedTool['definition'][]
  readonly features: ReturnType<typeof readInferenceFeatures>
}

type Question = (typeof LEARNED_QUESTIONS)[number]

/** Words depend on a vendor's style, so they are trusted less than rules. */
const WORD_TRUST = 0.25
const VOTE_TRUST = 2
const RULE_TRUST = 1

/**
 * Authors agree about read-only, so its weights are free to grow. They disagree about destructive and idempotent, where
 * freely grown weights would learn the habits of the largest vendors.
 */
const RIDGE: Readonly<Record<Question, number>> = {
  readOnly: 30,
  destructive: 60,
  idempotent: 60,
}

/** Read-only needs more than even odds, because inferring a write as a read is the costly mistake. */
const READ_ONLY_THRESHOLD = 0.9

function trustIn(id: string, question: Question): number {
  if (id.startsWith('rules.')) return id === `rules.${question}` ? VOTE_TRUST : 0
  const isWord = /^(?:name|text|with)[:^$]/.test(id)
  return isWord ? WORD_TRUST : RULE_TRUST
}

function labelOf(authored: Authored, question: Question): boolean | undefined {
  // An author who calls a tool destructive has also said that it is not a read.
  if (question === 'readOnly') return authored.readOnly ?? (authored.destructive === true ? false : undefined)
  return authored.readOnly === true ? undefined : authored[question]
}

const LESSONS: readonly Lesson<ToolRow>[] = LEARNED_QUESTIONS.map(question => ({
  name: question,
  labelOf: ({ tool }) => labelOf(tool.authored, question),
  trustOf: id => trustIn(id, question),
  ridge: RIDGE[question],
  lasso: 0.4,
  threshold: question === 'readOnly' ? READ_ONLY_THRESHOLD : 0,
  balance: 0.5,
}))

/** Reads the features of all tools, with their servers' tools as siblings. */
export function toRows(tools: readonly AnnotatedTool[]): ToolRow[] {
  const servers = groupBy(tools, ({ vendor, server }) => `${vendor}\n${server}`)
  const siblingsOf = new Map([...servers].map(([key, own]) => [key, own.map(({ definition }) => definition)]))
  return tools.map(tool => {
    const siblings = siblingsOf.get(`${tool.vendor}\n${tool.server}`) ?? []
    return { group: tool.vendor, tool, siblings, features: readInferenceFeatures(tool.definition, siblings) }
  })
}

/** The table for the product: learned from all rows, calibrated on rows that each fit had not seen. */
export function trainInference(rows: readonly ToolRow[]): WeightTable {
  return learnTable(rows, LESSONS, calibrateAll(rows, foldsOf(rows)))
}

interface Fold {
  readonly vendor: string
  readonly unseen: readonly ToolRow[]
  readonly table: WeightTable
}

function foldsOf(rows: readonly ToolRow[]): Fold[] {
  return [...groupBy(rows, ({ group }) => group)].map(([vendor, unseen]) => {
    const seen = rows.filter(({ group }) => group !== vendor)
    return {
      vendor,
      unseen,
      table: learnTable(
        seen,
        LESSONS,
        LESSONS.map(() => UNCALIBRATED),
      ),
    }
  })
}

/** Calibrates on the folds. Each vendor counts the same, as in the headline figure. */
function calibrateAll(rows: readonly ToolRow[], folds: readonly Fold[]): Calibration[] {
  const sizes = new Map([...groupBy(rows, ({ group }) => group)].map(([vendor, own]) => [vendor, own.length]))
  return LESSONS.map((lesson, at) => {
    const scored = folds.flatMap(({ vendor, unseen, table }) => {
      const model = new LinearModel(table)
      return unseen.flatMap(row => {
        const label = lesson.labelOf(row)
        const score = model.answer(row.features)[at]?.score ?? 0
        const weight = 1 / (sizes.get(vendor) ?? 1)
        return label === undefined ? [] : [{ score, yes: label, weight }]
      })
    })
    return calibrate(scored)
  })
}

/**
 * Judges every tool with weights that were learned without its vendor. The calibration of a fold comes from the other
 * folds too.
 */
export function judgeUnseen(rows: readonly ToolRow[]): readonly JudgedTool[] {
  const folds = foldsOf(rows)
  return folds.flatMap(({ vendor, unseen, table }) => {
    const others = folds.filter(fold => fold.vendor !== vendor)
    const calibrations = calibrateAll(rows, others)
    const infer = inferWith({
      ...table,
      slope: calibrations.map(({ slope }) => slope),
      shift: calibrations.map(({ shift }) => shift),
    })
    return unseen.map(({ tool, siblings }) => ({ ...tool, inference: infer(tool.definition, siblings) }))
  })
}
