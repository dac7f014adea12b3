import {
  inferWith,
  LEARNED_QUESTIONS,
  LinearModel,
  readInferenceFeatures,
  type WeightTable,
} from '@hintgate/metadata'
import type { AnnotatedTool, Authored } from '../inference/load-tools.ts'
import type { JudgedTool } from '../inference/questions.ts'
import { groupBy, mean } from '../inference/score.ts'
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
const READ_ONLY_THRESHOLDS = [0, 0.3, 0.6, 0.9, 1.2, 1.5]
/** The share of tools that their authors call destructive and that may be taken for reads. */
const MOST_TAKEN_FOR_READS = 0.005

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
  threshold: 0,
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
  const folds = foldsOf(rows)
  const table = learnTable(rows, LESSONS, calibrateAll(rows, folds))
  return withThreshold(table, pickThreshold(folds))
}

function withThreshold(table: WeightTable, readOnly: number): WeightTable {
  return {
    ...table,
    threshold: table.threshold.map((own, at) => (LESSONS[at]?.name === 'readOnly' ? readOnly : own)),
  }
}

/** How one threshold judges a vendor that its weights had not seen. */
interface Trial {
  readonly accuracy: number
  readonly destructive: number
  readonly takenForReads: number
}

function tryOut(unseen: readonly ToolRow[], table: WeightTable, threshold: number): Trial {
  const infer = inferWith(withThreshold(table, threshold))
  const judged = unseen.map(({ tool, siblings }) => ({
    label: labelOf(tool.authored, 'readOnly'),
    isDestructive: tool.authored.destructive === true,
    isRead: infer(tool.definition, siblings).readOnly.value,
  }))
  const labelled = judged.filter(({ label }) => label !== undefined)
  const destructive = judged.filter(({ isDestructive }) => isDestructive)
  return {
    accuracy: labelled.filter(({ label, isRead }) => label === isRead).length / labelled.length,
    destructive: destructive.length,
    takenForReads: destructive.filter(({ isRead }) => isRead).length,
  }
}

/** Picks the most accurate threshold, as a mean over vendors, that takes few enough destructive tools for reads. */
function pickThreshold(folds: readonly Fold[]): number {
  const results = READ_ONLY_THRESHOLDS.map((threshold, at) => {
    const trials = folds.flatMap(({ trials: own }) => own[at] ?? [])
    const accuracies = trials.map(({ accuracy }) => accuracy).filter(Number.isFinite)
    const taken = trials.reduce((sum, { takenForReads }) => sum + takenForReads, 0)
    const destructive = trials.reduce((sum, own) => sum + own.destructive, 0)
    return { threshold, accuracy: mean(accuracies), taken: taken / Math.max(1, destructive) }
  })
  const safe = results.filter(({ taken }) => taken <= MOST_TAKEN_FOR_READS)
  const best = safe.toSorted((a, b) => b.accuracy - a.accuracy || b.threshold - a.threshold)[0]
  return best?.threshold ?? Math.max(...READ_ONLY_THRESHOLDS)
}

interface Fold {
  readonly vendor: string
  readonly unseen: readonly ToolRow[]
  readonly table: WeightTable
  /** For each of the thresholds. */
  readonly trials: readonly Trial[]
}

function foldsOf(rows: readonly ToolRow[]): Fold[] {
  return [...groupBy(rows, ({ group }) => group)].map(([vendor, unseen]) => {
    const seen = rows.filter(({ group }) => group !== vendor)
    const table = learnTable(
      seen,
      LESSONS,
      LESSONS.map(() => UNCALIBRATED),
    )
    const trials = READ_ONLY_THRESHOLDS.map(threshold => tryOut(unseen, table, threshold))
    return { vendor, unseen, table, trials }
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
 * folds too, and so does its threshold.
 */
export function judgeUnseen(rows: readonly ToolRow[]): readonly JudgedTool[] {
  const folds = foldsOf(rows)
  return folds.flatMap(({ vendor, unseen, table }) => {
    const others = folds.filter(fold => fold.vendor !== vendor)
    const calibrations = calibrateAll(rows, others)
    const infer = inferWith({
      ...withThreshold(table, pickThreshold(others)),
      slope: calibrations.map(({ slope }) => slope),
      shift: calibrations.map(({ shift }) => shift),
    })
    return unseen.map(({ tool, siblings }) => ({ ...tool, inference: infer(tool.definition, siblings) }))
  })
}
