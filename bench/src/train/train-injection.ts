import { LinearModel, type WeightTable } from '@hintgate/metadata'
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
  threshold: 0.4,
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

  /** The table for the product. */
  train(): WeightTable {
    const scored = this.folds().flatMap(({ unseen, model }) =>
      unseen.map(row => {
        const features = row.features.map(feature => ({ ...feature, reason: feature.id }))
        return {
          score: model.answer(features)[0]?.score ?? 0,
          yes: row.sample.label === 'malicious',
          weight: 1,
        }
      }),
    )
    return learnTable([...this.rows, ...this.others], [LESSON], [calibrate(scored)])
  }

  /** What is found in each text with weights that were learned without its template or source. */
  findUnseen(): (text: string) => ReturnType<LearningDetectors['weighText']> {
    const modelOf = new Map(
      this.folds().flatMap(({ unseen, model }) => unseen.map(({ sample }) => [sample.text, model] as const)),
    )
    return text => this.detectors.weighText(this.detectors.readText(text), modelOf.get(text))
  }

  private folds(): readonly { readonly unseen: readonly TextRow[]; readonly model: LinearModel }[] {
    return [...groupBy(this.rows, ({ group }) => group)].map(([group, unseen]) => {
      const seen = [...this.rows, ...this.others].filter(row => row.group !== group)
      return { unseen, model: new LinearModel(learnTable(seen, [LESSON], [UNCALIBRATED])) }
    })
  }
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
