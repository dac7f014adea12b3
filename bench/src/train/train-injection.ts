import { LinearModel, type WeightTable } from '@hintgate/metadata'
import { LIKELY } from '../guardrails/evaluate-secrets.ts'
import type { LearningDetectors } from '../guardrails/load-detectors.ts'
import type { Sample } from '../guardrails/load-rows.ts'
import { loadTools } from '../inference/load-tools.ts'
import { groupBy } from '../inference/score.ts'
import { calibrate, type LabelledRow, type Lesson, learnTable, UNCALIBRATED } from './learn-table.ts'

interface TextRow extends LabelledRow {
  readonly sample: Sample
}

/** Runs of letters are many and each says little; the rules' own sureness says most. */
function trustIn(id: string): number {
  if (id.startsWith('letters:')) return 0.25
  return id.startsWith('rules.') ? 2 : 1
}

const LESSON: Lesson<TextRow> = {
  name: 'injection',
  labelOf: ({ sample }) => sample.label === 'malicious',
  trustOf: trustIn,
  ridge: 5,
  lasso: 0.3,
  threshold: 0,
  balance: 0,
}

/** A benign text for training only, such as a vendor's description of a tool. */
export interface PlainText {
  readonly group: string
  readonly text: string
}

export class InjectionTraining {
  private readonly rows: readonly TextRow[]
  private readonly others: readonly TextRow[]
  private readonly detectors: LearningDetectors
  private known: readonly Fold[] | undefined

  constructor(samples: readonly Sample[], plain: readonly PlainText[], detectors: LearningDetectors) {
    this.detectors = detectors
    const toRow = (sample: Sample): TextRow => ({
      group: sample.group,
      sample,
      features: detectors.readFeatures(detectors.readText(sample.text)),
    })
    this.rows = samples.filter(({ label }) => label !== 'payload').map(toRow)
    this.others = plain.map(({ group, text }) =>
      toRow({ place: '', kind: 'plain', group, label: 'benign', text, spans: [] }),
    )
  }

  /** The table for the product. Its threshold and its calibration come from rows that each fit had not seen. */
  train(): WeightTable {
    const folds = this.folds()
    const scored = folds.flatMap(({ unseen, table }) => {
      const model = new LinearModel(table)
      return unseen.map(row => {
        const features = row.features.map(feature => ({ ...feature, reason: feature.id }))
        return {
          score: model.answer(features)[0]?.score ?? 0,
          yes: row.sample.label === 'malicious',
          weight: 1,
        }
      })
    })
    const table = learnTable([...this.rows, ...this.others], [LESSON], [calibrate(scored)])
    return { ...table, threshold: [pickThreshold(folds.map(({ trials }) => trials))] }
  }

  /**
   * What is found in each text with weights that were learned without its template or source, and a threshold that was
   * chosen without its rows.
   */
  findUnseen(): (text: string) => ReturnType<LearningDetectors['weighText']> {
    const folds = this.folds()
    const modelOf = new Map(
      folds.flatMap(({ unseen, table }, own) => {
        const others = folds.filter((_, at) => at !== own).map(({ trials }) => trials)
        const model = new LinearModel({ ...table, threshold: [pickThreshold(others)] })
        return unseen.map(({ sample }) => [sample.text, model] as const)
      }),
    )
    return text => this.detectors.weighText(this.detectors.readText(text), modelOf.get(text))
  }

  private folds(): readonly Fold[] {
    this.known ??= [...groupBy(this.rows, ({ group }) => group)].map(([group, unseen]) => {
      const seen = [...this.rows, ...this.others].filter(row => row.group !== group)
      const table = learnTable(seen, [LESSON], [UNCALIBRATED])
      return { unseen, table, trials: THRESHOLDS.map(threshold => this.tryOut(unseen, table, threshold)) }
    })
    return this.known
  }

  private tryOut(rows: readonly TextRow[], table: WeightTable, threshold: number): Trial {
    const model = new LinearModel({ ...table, threshold: [threshold] })
    const { readText, weighText, findHiddenText } = this.detectors
    const trial = { attacks: 0, found: 0, benign: 0, alarms: 0 }
    for (const { sample } of rows) {
      const findings = [...weighText(readText(sample.text), model), ...findHiddenText(sample.text)]
      const isFlagged = findings.some(({ confidence }) => confidence >= LIKELY)
      const isAttack = sample.label === 'malicious'
      trial[isAttack ? 'attacks' : 'benign'] += 1
      if (isFlagged) trial[isAttack ? 'found' : 'alarms'] += 1
    }
    return trial
  }
}

/** What one threshold would do to rows that the weights had not seen. */
interface Trial {
  readonly attacks: number
  readonly found: number
  readonly benign: number
  readonly alarms: number
}

interface Fold {
  readonly unseen: readonly TextRow[]
  readonly table: WeightTable
  /** For each of the thresholds. */
  readonly trials: readonly Trial[]
}

const THRESHOLDS = [-0.4, -0.2, 0, 0.2, 0.4, 0.6, 0.8, 1]
const MOST_ALARMS = 0.04

/**
 * Picks the highest threshold that finds as many attacks as the best one, within one standard error. Sources of benign texts
 * are few, so the number of their false alarms says little about other sources; a high threshold is the safe choice.
 */
function pickThreshold(folds: readonly (readonly Trial[])[]): number {
  const results = THRESHOLDS.map((threshold, at) => {
    const sum = (count: keyof Trial): number =>
      folds.reduce((total, own) => total + (own[at]?.[count] ?? 0), 0)
    const recall = sum('found') / Math.max(1, sum('attacks'))
    return { threshold, recall, attacks: sum('attacks'), alarms: sum('alarms') / Math.max(1, sum('benign')) }
  })
  const quiet = results.filter(({ alarms }) => alarms <= MOST_ALARMS)
  const best = quiet.toSorted((a, b) => b.recall - a.recall)[0]
  if (best === undefined) return Math.max(...THRESHOLDS)
  const error = Math.sqrt((best.recall * (1 - best.recall)) / Math.max(1, best.attacks))
  return Math.max(
    ...quiet.filter(({ recall }) => recall >= best.recall - error).map(({ threshold }) => threshold),
  )
}

/** One in seven is enough to show what ordinary descriptions look like. */
const EVERY = 7

export async function loadPlainTexts(dataFolder: string): Promise<readonly PlainText[]> {
  const { tools } = await loadTools(dataFolder).catch(() => ({ tools: [] }))
  return tools.flatMap(({ vendor, definition: { description } }, at) =>
    at % EVERY === 0 && typeof description === 'string'
      ? [{ group: `vendor ${vendor}`, text: description }]
      : [],
  )
}
