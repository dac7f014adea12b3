import { type Inference, inferTool } from '@hintgate/metadata'
import type { AnnotatedTool } from './load-tools.ts'
import { type JudgedTool, QUESTIONS, type Question } from './questions.ts'
import { findMajority, groupBy, mean, type Sample, type Score, scoreSamples } from './score.ts'

export interface QuestionResult {
  readonly question: string
  readonly about: string
  /** Share of all tools whose author declared this hint. */
  readonly labelled: number
  /** Share of these tools for which inference gave a judgement. */
  readonly coverage: number
  readonly inference: Score
  readonly baselines: { readonly majority: Score; readonly specDefaults: Score }
}

interface ConfidentSlice {
  readonly threshold: number
  readonly micro: number
  readonly meanOverVendors: number
  readonly coveredMicro: number
  readonly coveredMeanOverVendors: number
}

interface WorstMistakes {
  readonly authorDestructive: number
  readonly inferredReadOnly: number
  readonly share: number
  readonly tools: readonly {
    readonly vendor: string
    readonly server: string
    readonly name: string
    readonly confidence: number
  }[]
}

export interface InferenceResults {
  readonly tools: number
  readonly vendors: number
  readonly questions: readonly QuestionResult[]
  readonly confident: ConfidentSlice
  readonly worst: WorstMistakes
  readonly reliability: readonly ReliabilityRow[]
  readonly microsecondsPerTool: number
}

/** Judgements of about the same confidence, and how many were right. */
interface ReliabilityRow {
  readonly question: string
  readonly from: number
  readonly tools: number
  readonly confidence: number
  readonly right: number
}

const CONFIDENT = 0.9
const ROUNDS = 10

/** Infers every tool with its server's tools as siblings; `now` is in milliseconds. */
export function judgeTools(
  tools: readonly AnnotatedTool[],
  now: () => number,
): { readonly judged: readonly JudgedTool[]; readonly microsecondsPerTool: number } {
  const servers = groupBy(tools, ({ vendor, server }) => `${vendor}\n${server}`)
  const siblingsOf = new Map([...servers].map(([key, own]) => [key, own.map(({ definition }) => definition)]))
  const inferAll = (): Inference[] =>
    tools.map(({ vendor, server, definition }) =>
      inferTool(definition, siblingsOf.get(`${vendor}\n${server}`)),
    )
  const inferences = inferAll()
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = now()
    inferAll()
    return ((now() - start) * 1000) / Math.max(1, tools.length)
  })
  // The first rounds warm up the compiler, and other processes take CPU time, so the best round counts.
  const microsecondsPerTool = Math.min(...rounds)
  const judged = tools.flatMap((tool, at) => {
    const inference = inferences[at]
    return inference === undefined ? [] : [{ ...tool, inference }]
  })
  return { judged, microsecondsPerTool }
}

export function scoreInference(judged: readonly JudgedTool[], microsecondsPerTool: number): InferenceResults {
  return {
    tools: judged.length,
    vendors: groupBy(judged, ({ vendor }) => vendor).size,
    questions: QUESTIONS.map(question => scoreQuestion(judged, question)),
    confident: scoreConfident(judged),
    worst: findWorstMistakes(judged),
    reliability: measureReliability(judged),
    microsecondsPerTool,
  }
}

function scoreQuestion(judged: readonly JudgedTool[], question: Question): QuestionResult {
  const samples = judged.flatMap(({ vendor, authored, inference }): Sample[] => {
    const truth = question.truthOf(authored)
    return truth === undefined ? [] : [{ vendor, truth, guess: question.guessOf(inference) }]
  })
  const always = (guess: string): Score =>
    scoreSamples(
      samples.map(sample => ({ ...sample, guess })),
      question.labels,
    )
  return {
    question: question.name,
    about: question.about,
    labelled: samples.length / judged.length,
    coverage: samples.filter(({ guess }) => question.labels.includes(guess)).length / samples.length,
    inference: scoreSamples(samples, question.labels),
    baselines: { majority: always(findMajority(samples)), specDefaults: always(question.specDefault) },
  }
}

function scoreConfident(judged: readonly JudgedTool[]): ConfidentSlice {
  const asked = judged.filter(({ authored }) => authored.readOnly !== undefined)
  const isConfident = ({ inference }: JudgedTool): boolean => inference.readOnly.confidence >= CONFIDENT
  const samples = asked.filter(isConfident).map(({ vendor, authored, inference }) => ({
    vendor,
    truth: String(authored.readOnly),
    guess: String(inference.readOnly.value),
  }))
  const score = scoreSamples(samples, ['true', 'false'])
  const shares = [...groupBy(asked, ({ vendor }) => vendor).values()].map(
    own => own.filter(isConfident).length / own.length,
  )
  return {
    threshold: CONFIDENT,
    micro: score.micro,
    meanOverVendors: score.meanOverVendors,
    coveredMicro: samples.length / asked.length,
    coveredMeanOverVendors: mean(shares),
  }
}

function findWorstMistakes(judged: readonly JudgedTool[]): WorstMistakes {
  const destructive = judged.filter(
    ({ authored }) => authored.destructive === true && authored.readOnly !== true,
  )
  const mistaken = destructive.filter(({ inference }) => inference.readOnly.value)
  return {
    authorDestructive: destructive.length,
    inferredReadOnly: mistaken.length,
    share: destructive.length === 0 ? 0 : mistaken.length / destructive.length,
    tools: mistaken.map(({ vendor, server, definition, inference }) => ({
      vendor,
      server,
      name: definition.name,
      confidence: inference.readOnly.confidence,
    })),
  }
}

/** Confidence is worth something if it is right as often as it says. */
function measureReliability(judged: readonly JudgedTool[]): ReliabilityRow[] {
  return (['readOnly', 'destructive', 'idempotent'] as const).flatMap(question => {
    const asked = judged.filter(
      ({ authored, inference }) =>
        authored[question] !== undefined &&
        (question === 'readOnly' || (authored.readOnly !== true && !inference.readOnly.value)),
    )
    const bins = groupBy(asked, ({ inference }) => binOf(inference[question].confidence))
    return [...bins]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, own]) => ({
        question,
        from: Number(from),
        tools: own.length,
        confidence: mean(own.map(({ inference }) => inference[question].confidence)),
        right: mean(
          own.map(({ authored, inference }) => Number(authored[question] === inference[question].value)),
        ),
      }))
  })
}

const TOP_BIN = 0.95

function binOf(confidence: number): string {
  return confidence >= TOP_BIN ? String(TOP_BIN) : (Math.floor(confidence * 10) / 10).toFixed(1)
}
