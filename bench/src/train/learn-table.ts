import type { WeightTable } from '@hintgate/metadata'
import { type Example, type Fit, fitLogistic } from './fit-logistic.ts'

/** One row of labelled data. Rows of one group are learned from together or not at all. */
export interface LabelledRow {
  readonly group: string
  readonly features: readonly { readonly id: string; readonly value: number }[]
}

/** What to learn, and how much the data are trusted. */
export interface Lesson<Row extends LabelledRow> {
  readonly name: string
  /** Undefined for a row that has no label for this question. */
  readonly labelOf: (row: Row) => boolean | undefined
  /** How far a feature may be trusted: the larger, the more weight it may have; 0 for not at all. */
  readonly trustOf: (id: string) => number
  readonly ridge: number
  readonly lasso: number
  readonly threshold: number
  /** 0: every row counts the same. 1: every group counts the same. */
  readonly balance: number
}

/** A feature that fewer groups have could name one of them. */
const MIN_GROUPS = 3
const DIGITS = 1000

/** Learns one table for all lessons. `scores` hold rows that the fit had not seen, for the calibration. */
export function learnTable<Row extends LabelledRow>(
  rows: readonly Row[],
  lessons: readonly Lesson<Row>[],
  calibrations: readonly Calibration[],
): WeightTable {
  const columns = nameColumns(rows)
  const fits = lessons.map(lesson => fitLesson(rows, lesson, columns))
  const weights: Record<string, number[]> = {}
  for (const [id, column] of columns) {
    const own = fits.map((fit, at) => round((fit.weights[column] ?? 0) * (lessons[at]?.trustOf(id) ?? 0)))
    if (own.some(weight => weight !== 0)) weights[id] = own
  }
  return {
    questions: lessons.map(({ name }) => name),
    bias: fits.map(({ bias }) => round(bias)),
    threshold: lessons.map(({ threshold }) => threshold),
    slope: calibrations.map(({ slope }) => round(slope)),
    shift: calibrations.map(({ shift }) => round(shift)),
    weights,
  }
}

function round(value: number): number {
  return Math.round(value * DIGITS) / DIGITS
}

/** The columns in a stable order. */
function nameColumns(rows: readonly LabelledRow[]): ReadonlyMap<string, number> {
  const groups = new Map<string, Set<string>>()
  for (const { group, features } of rows) {
    for (const { id } of features) {
      const own = groups.get(id)
      if (own === undefined) groups.set(id, new Set([group]))
      else own.add(group)
    }
  }
  const shared = [...groups].filter(([, own]) => own.size >= MIN_GROUPS).map(([id]) => id)
  return new Map(shared.sort().map((id, at) => [id, at]))
}

function fitLesson<Row extends LabelledRow>(
  rows: readonly Row[],
  lesson: Lesson<Row>,
  columns: ReadonlyMap<string, number>,
): Fit {
  const examples = toExamples(rows, lesson, columns)
  return fitLogistic(examples, columns.size, lesson)
}

function toExamples<Row extends LabelledRow>(
  rows: readonly Row[],
  lesson: Lesson<Row>,
  columns: ReadonlyMap<string, number>,
): Example[] {
  const labelled = rows.filter(row => lesson.labelOf(row) !== undefined)
  const sizes = new Map<string, number>()
  for (const { group } of labelled) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const raw = labelled.map(({ group }) => (sizes.get(group) ?? 1) ** -lesson.balance)
  const mean = raw.reduce((sum, weight) => sum + weight, 0) / Math.max(1, raw.length)
  return labelled.map((row, at) => {
    const values = new Map<number, number>()
    for (const { id, value } of row.features) {
      const column = columns.get(id)
      const trust = lesson.trustOf(id)
      if (column !== undefined && trust !== 0) values.set(column, (values.get(column) ?? 0) + value * trust)
    }
    return {
      columns: [...values.keys()],
      values: [...values.values()],
      yes: lesson.labelOf(row) === true,
      weight: (raw[at] ?? 0) / mean,
    }
  })
}

/** How scores become chances. */
export interface Calibration {
  readonly slope: number
  readonly shift: number
}

export const UNCALIBRATED: Calibration = { slope: 1, shift: 0 }

/** Fits chances to the scores of rows that training had not seen. */
export function calibrate(
  scored: readonly { readonly score: number; readonly yes: boolean; readonly weight: number }[],
): Calibration {
  const examples = scored.map(({ score, yes, weight }) => ({ columns: [0], values: [score], yes, weight }))
  const fit = fitLogistic(examples, 1, { ridge: 0.01, lasso: 0 })
  return { slope: fit.weights[0] ?? 1, shift: fit.bias }
}
