import { formatTable } from '../format-table.ts'
import type { Bar } from './bars.ts'
import type { InferenceResults, QuestionResult } from './evaluate.ts'
import type { Score } from './score.ts'

/** Three decimals. A missing measurement is a dash, not a zero. */
function show(value: number): string {
  return Number.isFinite(value) ? value.toFixed(3) : '–'
}

function showShare(value: number): string {
  return Number.isFinite(value) ? `${(value * 100).toFixed(1)} %` : '–'
}

/** What was measured on vendors that training had not seen, and beside it the shipped weights on the same tools. */
export interface Measured {
  readonly unseen: InferenceResults
  readonly inSample: InferenceResults
}

export function reportInference({ unseen, inSample }: Measured, bars: readonly Bar[]): string {
  return [
    `Inference on ${unseen.tools} tools of ${unseen.vendors} vendors (annotations hidden)`,
    reportBoth({ unseen, inSample }),
    'In detail, each vendor judged with weights that were learned from the other vendors:',
    reportHeadline(unseen),
    ...unseen.questions.map(reportConfusion),
    reportVendors(unseen),
    reportConfident(unseen),
    reportReliability(unseen),
    reportWorst(unseen),
    reportBars(bars),
    `Time: ${inSample.microsecondsPerTool.toFixed(1)} µs per tool (target: under 50)`,
  ].join('\n\n')
}

function reportBoth({ unseen, inSample }: Measured): string {
  const rows = unseen.questions.map(({ question, inference }) => {
    const own = inSample.questions.find(other => other.question === question)
    return [question, show(inference.meanOverVendors), show(own?.inference.meanOverVendors ?? Number.NaN)]
  })
  rows.push([
    'destructive inferred as read-only',
    showShare(unseen.worst.share),
    showShare(inSample.worst.share),
  ])
  return `${formatTable(['hint', 'vendor left out', 'in-sample'], rows)}\nMeans over vendors. The hand-written votes of verbs and objects had seen all vendors, so even the first column flatters.`
}

function reportReliability({ reliability }: InferenceResults): string {
  const rows = reliability.map(({ question, from, tools, confidence, right }) => [
    question,
    `≥ ${from}`,
    String(tools),
    show(confidence),
    show(right),
  ])
  return `Reliability: how often judgements of about the same confidence are right\n${formatTable(['hint', 'confidence', 'tools', 'mean', 'right'], rows)}`
}

function reportHeadline(results: InferenceResults): string {
  const rows = results.questions.flatMap(result => [
    headlineRow(result.question, 'inferred', { score: result.inference, result }),
    headlineRow('', 'majority class', { score: result.baselines.majority, result }),
    headlineRow('', 'spec defaults', { score: result.baselines.specDefaults, result }),
  ])
  const head = ['hint', 'guess', 'tools', 'vendors', 'labelled', 'coverage', 'accuracy*', 'micro', 'macro-F1']
  return `${formatTable(head, rows)}\n* mean over vendors: each vendor counts once`
}

function headlineRow(name: string, guess: string, of: { score: Score; result: QuestionResult }): string[] {
  const { score, result } = of
  return [
    name,
    guess,
    String(score.tools),
    String(score.vendors),
    showShare(result.labelled),
    showShare(result.coverage),
    show(score.meanOverVendors),
    show(score.micro),
    show(score.macroF1),
  ]
}

function reportConfusion({ question, about, inference }: QuestionResult): string {
  const labels = Object.keys(inference.confusion)
  const rows = labels.map(truth => {
    const own = inference.classes.find(({ label }) => label === truth)
    const counts = labels.map(guess => String(inference.confusion[truth]?.[guess] ?? 0))
    return [truth, ...counts, show(own?.precision ?? Number.NaN), show(own?.recall ?? Number.NaN)]
  })
  const head = ['author \\ inferred', ...labels, 'precision', 'recall']
  return `${question}: ${about}\n${formatTable(head, rows)}`
}

function reportVendors(results: InferenceResults): string {
  const vendors = new Set(results.questions.flatMap(({ inference }) => Object.keys(inference.perVendor)))
  const rows = [...vendors].sort().map(vendor => [
    vendor,
    ...results.questions.flatMap(({ inference }) => {
      const own = inference.perVendor[vendor]
      return own === undefined ? ['', ''] : [String(own.tools), show(own.accuracy)]
    }),
  ])
  const head = ['vendor', ...results.questions.flatMap(({ question }) => ['n', question])]
  return `Accuracy per vendor\n${formatTable(head, rows)}`
}

function reportConfident({ confident }: InferenceResults): string {
  return (
    `Read-only judgements with confidence ≥ ${confident.threshold}: accuracy ${show(confident.meanOverVendors)} ` +
    `(mean over vendors), ${show(confident.micro)} (micro); they cover ` +
    `${showShare(confident.coveredMeanOverVendors)} of tools (mean over vendors), ${showShare(confident.coveredMicro)} (micro)`
  )
}

function reportWorst({ worst }: InferenceResults): string {
  const share = `${worst.inferredReadOnly} of ${worst.authorDestructive} (${(worst.share * 100).toFixed(2)} %)`
  const head = `The worst mistake, declared destructive but inferred read-only: ${share}`
  return [
    head,
    ...worst.tools.map(
      ({ vendor, server, name, confidence }) => `  ${name}  (${vendor}, ${server}; ${show(confidence)})`,
    ),
  ].join('\n')
}

function reportBars(bars: readonly Bar[]): string {
  const rows = bars.map(({ name, value, bound, sense, met }) => [
    met ? 'met' : 'MISSED',
    name,
    value.toFixed(4),
    `${sense} ${bound}`,
  ])
  return `Bars\n${formatTable(['', 'measure', 'value', 'bar'], rows)}`
}
