// The bars are ratios within one run, because absolute figures of a shared machine mean little.

import type { SessionFigures } from './abandoned-sessions.ts'
import type { AuditFigures } from './audit.ts'
import type { CostFigures } from './audit-cost.ts'
import type { LogFigures } from './audit-log.ts'
import type { HungFigures } from './hung-upstream.ts'
import type { Figures } from './measure.ts'
import type { Setting, Shape } from './plan.ts'
import { BAR_SHAPE, LIST_SHAPE } from './plan.ts'
import { type ProvenanceFigures, RESULT_KINDS, type ResultKind } from './provenance.ts'
import type { SetsFigures } from './sets.ts'
import type { StormFigures } from './storm.ts'
import type { TelemetryFigures } from './telemetry.ts'
import type { ToolkitFigures } from './toolkit.ts'
import type { VerdictFigures } from './verdict.ts'

export interface Bar {
  readonly name: string
  readonly wanted: string
  /** Absent: not measured. */
  readonly got?: string
  readonly met?: boolean
}

export interface Extras {
  readonly hung?: HungFigures
  readonly sessions?: SessionFigures
  readonly storm?: StormFigures
  readonly audit?: AuditFigures
  readonly verdict?: VerdictFigures
  readonly provenance?: readonly ProvenanceFigures[]
  readonly sets?: readonly SetsFigures[]
  readonly telemetry?: TelemetryFigures
  readonly toolkit?: readonly ToolkitFigures[]
  readonly startMs?: number
}

const MOST_OVER_FLOOR = 1.6
const MOST_LOADED = 2.5
const LEAST_UNDER_OTHERS = 5
const MOST_HUNG = 1.2
const MOST_SESSION_MEGABYTES = 30
const MOST_START_MS = 1000
const MOST_STORM_PERCENT = 5
const MOST_LIST_MICROS = 2000
const MOST_VERDICT_MICROS = 30

export function judgeBars(figures: readonly Figures[], extras: Extras): Bar[] {
  return [
    ...(['http', 'stdio'] as const).flatMap(transport => [
      judgeOverFloor(figures, transport, 'modern'),
      judgeOverFloor(figures, transport, 'legacy'),
      ...judgeCpu(figures, transport),
    ]),
    judgeHung(extras.hung),
    judgeSessions(extras.sessions),
    judgeStorm(extras.storm),
    ...judgeAudit(extras.audit),
    ...judgeProvenance(extras.provenance),
    ...judgeSets(extras.sets),
    ...judgeTelemetry(extras.telemetry),
    ...judgeToolkit(extras.toolkit),
    judge(
      'a verdict with 50 policies and 10 guardrails, CPU',
      `< ${MOST_VERDICT_MICROS} µs`,
      extras.verdict?.micros,
      {
        say: value => `${value.toFixed(1)} µs`,
        isMet: value => value < MOST_VERDICT_MICROS,
      },
    ),
    judge('listening after start, no servers', `< ${MOST_START_MS} ms`, extras.startMs, {
      say: value => `${value.toFixed(0)} ms`,
      isMet: value => value < MOST_START_MS,
    }),
    judge('tools/list of 1,000 tools, CPU', `< ${MOST_LIST_MICROS / 1000} ms`, findListMicros(figures), {
      say: value => `${(value / 1000).toFixed(2)} ms`,
      isMet: value => value < MOST_LIST_MICROS,
    }),
  ]
}

/** The bar is the same for both eras, although the legacy era has sessions. */
function judgeOverFloor(
  figures: readonly Figures[],
  transport: Setting['transport'],
  era: Setting['era'],
): Bar {
  const cpuOf = cpuOn(figures, transport)
  const which = era === 'modern' ? '' : ', older clients and servers'
  return judge(
    `${transport}: CPU per call over the floor${which}`,
    `≤ ${MOST_OVER_FLOOR} ×`,
    divide(cpuOf('hintgate', era), cpuOf('floor', era)),
    { say: value => `${value.toFixed(2)} ×`, isMet: value => value <= MOST_OVER_FLOOR },
  )
}

function cpuOn(
  figures: readonly Figures[],
  transport: Setting['transport'],
): (contender: string, era?: Setting['era']) => number | undefined {
  return (contender, era = 'modern') =>
    findCpu(
      figures,
      contender,
      setting => setting.transport === transport && setting.era === era && isPlain(setting),
    )
}

function judgeCpu(figures: readonly Figures[], transport: Setting['transport']): Bar[] {
  const cpuOf = cpuOn(figures, transport)
  const own = cpuOf('hintgate')
  const others = transport === 'stdio' ? ['sdk-proxy', 'mcp-proxy', 'supergateway'] : ['sdk-proxy']
  return [
    judge(
      `${transport}: CPU per call over the floor, with 50 policies, 10 guardrails and output scan`,
      `≤ ${MOST_LOADED} ×`,
      divide(cpuOf('hintgate-loaded'), cpuOf('floor')),
      { say: value => `${value.toFixed(2)} ×`, isMet: value => value <= MOST_LOADED },
    ),
    ...others.map(other => {
      // Not every peer supports the modern era, so each is measured in its best era.
      const ratio = least([
        divide(cpuOf(other), own),
        divide(cpuOf(other, 'legacy'), cpuOf('hintgate', 'legacy')),
      ])
      return judge(
        `${transport}: CPU per call of ${other} over Hintgate`,
        `≥ ${LEAST_UNDER_OTHERS} ×`,
        ratio,
        {
          say: value => `${value.toFixed(2)} ×`,
          isMet: value => value >= LEAST_UNDER_OTHERS,
        },
      )
    }),
  ]
}

function judgeHung(hung: HungFigures | undefined): Bar {
  return judge('p99 of calls while another server hangs', `< ${MOST_HUNG} ×`, hung?.ratio, {
    say: value => `${value.toFixed(2)} ×`,
    isMet: value => value < MOST_HUNG,
  })
}

function judgeSessions(sessions: SessionFigures | undefined): Bar {
  const left = sessions && sessions.afterMegabytes - sessions.beforeMegabytes
  return judge('RSS left of 10,000 expired sessions', `≤ ${MOST_SESSION_MEGABYTES} MB`, left, {
    say: value => `${value.toFixed(1)} MB`,
    isMet: value => value <= MOST_SESSION_MEGABYTES,
  })
}

function judgeStorm(storm: StormFigures | undefined): Bar {
  const cost = storm && Math.max(storm.percentOf10Tools, storm.percentOf1000Tools)
  return judge('CPU of 10,000 list changes a minute', `< ${MOST_STORM_PERCENT} %`, cost, {
    say: value => `${value.toFixed(1)} %`,
    isMet: value => value < MOST_STORM_PERCENT,
  })
}

const LEAST_VERIFIED = 100_000
const MOST_QUERY_MS = 50
const MOST_AUDITED = 1.5
const ENOUGH_AUDITED = 5000

function judgeAudit(audit: AuditFigures | undefined): Bar[] {
  return [
    ...judgeAuditCost(audit?.crowdedCost),
    showAuditCost(audit?.cost),
    ...judgeLog('SQLite', audit?.sqlite),
    ...judgeLog('PostgreSQL', audit?.postgres),
  ]
}

function judgeAuditCost(cost: CostFigures | undefined): Bar[] {
  const floorRate = cost && 1e6 / cost.floorMicros
  const enough = Math.min(ENOUGH_AUDITED, floorRate ?? ENOUGH_AUDITED)
  return [
    judge(
      'audit: CPU per call that writes, 64 at once, over the same without a log',
      `≤ ${MOST_AUDITED} ×`,
      divide(cost?.auditedMicros, cost?.unauditedMicros),
      { say: value => `${value.toFixed(2)} ×`, isMet: value => value <= MOST_AUDITED },
    ),
    judge(
      'audit: calls that write in a second of one core, through the gateway',
      `≥ ${enough.toFixed(0)}${floorRate === undefined ? '' : ` (floor ${floorRate.toFixed(0)})`}`,
      cost && 1e6 / cost.auditedMicros,
      { say: value => value.toFixed(0), isMet: value => value >= enough },
    ),
  ]
}

/** At low concurrency a commit has few rows, and its cost is mostly that of the disk. */
function showAuditCost(cost: CostFigures | undefined): Bar {
  const rate = cost === undefined ? '' : `, ${(1e6 / cost.auditedMicros).toFixed(0)} in a second of one core`
  return judge('audit: the same, 16 at once', '', divide(cost?.auditedMicros, cost?.unauditedMicros), {
    say: value => `${value.toFixed(2)} ×${rate}`,
    isMet: () => true,
  })
}

/** The database uses cores that we do not measure, so its cost is judged by wall clock. */
function judgeLog(store: 'SQLite' | 'PostgreSQL', log: LogFigures | undefined): Bar[] {
  const size = `${((log?.rows ?? 0) / 1e6).toFixed(0)} M rows`
  const isOurs = store === 'SQLite'
  return [
    judge(
      `audit, ${store}: verify ${size}, rows per CPU second`,
      `≥ ${LEAST_VERIFIED}`,
      log?.verified.byCpu,
      {
        say: value => `${value.toFixed(0)} (${log?.verified.byClock.toFixed(0)} by wall clock)`,
        isMet: value => value >= LEAST_VERIFIED,
      },
    ),
    judge(
      `audit, ${store}: calls of an agent on a day among ${size}${isOurs ? ', CPU' : ''}`,
      `< ${MOST_QUERY_MS} ms`,
      isOurs ? log?.query.byCpu : log?.query.byClock,
      { say: value => `${value.toFixed(1)} ms`, isMet: value => value < MOST_QUERY_MS },
    ),
  ]
}

const MOST_TRACED = 1.1

function judgeTelemetry(telemetry: TelemetryFigures | undefined): Bar[] {
  const say = (value: number): string => `${value.toFixed(2)} ×`
  const without = telemetry === undefined ? '' : ` (${telemetry.offMicros.toFixed(0)} µs)`
  return [
    judge(
      `telemetry: CPU per call over no telemetry${without}`,
      `< ${MOST_TRACED} ×`,
      telemetry?.receivedBytes === 0 ? undefined : telemetry?.onRatio,
      { say, isMet: value => value < MOST_TRACED },
    ),
    // Informational: the cost with the sampling limit turned off. It has no bar.
    judge('telemetry: the same with every call traced', '', telemetry?.everyCallRatio, {
      say,
      isMet: () => true,
    }),
    judge('a JSON line for every call, over no log', '', telemetry?.loggedRatio, { say, isMet: () => true }),
  ]
}

/** By the size of a result in KB. */
const MOST_FOR_PROVENANCE: readonly (readonly [number, number])[] = [
  [2, 1.1],
  [100, 1.25],
]

const RESULTS: Readonly<Record<ResultKind, string>> = {
  known: 'the same result',
  data: 'new mails without requests',
  rows: 'new rows in JSON',
  requests: 'new mails with a new request in each',
}

function judgeProvenance(provenance: readonly ProvenanceFigures[] | undefined): Bar[] {
  return MOST_FOR_PROVENANCE.flatMap(([kb, most]) =>
    RESULT_KINDS.map(kind => {
      const figures = provenance?.find(found => found.kb === kb && found.kind === kind)
      const without = figures === undefined ? '' : ` (${figures.offMicros.toFixed(0)} µs)`
      return judge(
        `provenance: CPU per call over none, ${RESULTS[kind]}, ${kb} KB${without}`,
        `≤ ${most} ×`,
        figures?.ratio,
        { say: value => `${value.toFixed(2)} ×`, isMet: value => value <= most },
      )
    }),
  )
}

/** A set that also changes arguments and results does more than direct; a plain one must not. */
const MOST_IN_SET = { plain: 1.05, presented: 1.2 } as const

const SETS = {
  plain: 'in a set of 200 of 5,000 tools',
  presented: 'in such a set with own names, a fixed argument and a filter',
} as const

function judgeSets(sets: readonly SetsFigures[] | undefined): Bar[] {
  return (['plain', 'presented'] as const).map(kind => {
    const figures = sets?.find(found => found.kind === kind)
    const direct = figures === undefined ? '' : ` (${figures.directMicros.toFixed(0)} µs)`
    const most = MOST_IN_SET[kind]
    return judge(`toolsets: CPU per call ${SETS[kind]} over direct${direct}`, `≤ ${most} ×`, figures?.ratio, {
      say: value => `${value.toFixed(2)} ×`,
      isMet: value => value <= most,
    })
  })
}

const MOST_ON_TOP = 1.1

function judgeToolkit(toolkit: readonly ToolkitFigures[] | undefined): Bar[] {
  return (['http', 'stdio'] as const).map(transport => {
    const figures = toolkit?.find(found => found.transport === transport)
    const bare = figures === undefined ? '' : ` (${figures.bareMicros.toFixed(0)} µs)`
    return judge(
      `toolkit, ${transport}: CPU per call over the bare SDK's${bare}`,
      `< ${MOST_ON_TOP} ×`,
      figures?.ratio,
      { say: value => `${value.toFixed(2)} ×`, isMet: value => value < MOST_ON_TOP },
    )
  })
}

interface Judgement {
  readonly say: (value: number) => string
  readonly isMet: (value: number) => boolean
}

function judge(name: string, wanted: string, value: number | undefined, { say, isMet }: Judgement): Bar {
  return value === undefined ? { name, wanted } : { name, wanted, got: say(value), met: isMet(value) }
}

function findListMicros(figures: readonly Figures[]): number | undefined {
  return findCpu(
    figures,
    'hintgate',
    setting => setting.tools === 1000 && setting.transport === 'http',
    LIST_SHAPE,
  )
}

function findCpu(
  figures: readonly Figures[],
  contender: string,
  isMeant: (setting: Setting) => boolean,
  shape: Shape = BAR_SHAPE,
): number | undefined {
  const found = figures.find(
    figure => figure.contender === contender && isMeant(figure.setting) && isSame(figure.shape, shape),
  )
  return found?.result.kind === 'measured' ? found.result.cpuMicros : undefined
}

function isPlain({ upstreams, tools }: Setting): boolean {
  return upstreams === 1 && tools === 10
}

function isSame(a: Shape, b: Shape): boolean {
  return a.operation === b.operation && a.concurrency === b.concurrency && a.kb === b.kb
}

function divide(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined || b === 0 ? undefined : a / b
}

function least(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter(value => value !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
