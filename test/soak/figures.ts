import type { Fleet, FleetSize } from './fleet.ts'
import { cpuOf, percentile, type Reading } from './measure.ts'
import type { Pace } from './pace.ts'
import type { Tally } from './tally.ts'

interface Run {
  readonly size: FleetSize
  readonly pace: Pace
  readonly tally: Tally
  readonly leftOut: number
  readonly early: Reading
  readonly late: Reading
  /** CPU seconds, and the duration of the run. */
  readonly cpu: Cpu
  readonly seconds: number
}

interface Cpu {
  readonly gateway: number
  readonly servers: number
  readonly visitors: number
}

/** CPU seconds so far, of all participants. */
export function readCpu({ gateway, host }: Fleet): Cpu {
  const { own, children } = cpuOf(gateway.pid)
  return { gateway: own, servers: children + cpuOf(host.pid).own, visitors: cpuOf(process.pid).own }
}

/** The report of a run, for people and for the documentation. */
export function describe({ size, pace, tally, leftOut, early, late, cpu, seconds }: Run) {
  const share = (used: number): string => `${((100 * used) / seconds).toFixed(1)} %`
  const flat = (kind: keyof Reading): string => `${Math.round(early[kind])} → ${Math.round(late[kind])}`
  return {
    'minutes of load': Number((pace.ms / 60_000).toFixed(2)),
    ...size,
    'visits a second': pace.perSecond,
    ...tally.counts,
    'visits left out, too many at once': leftOut,
    'answers lost': tally.lost.length,
    'answers crossed': tally.crossed.length,
    'p50 ms': Math.round(percentile(tally.times, 0.5)),
    'p99 ms': Math.round(percentile(tally.times, 0.99)),
    'heap MB, early → end': flat('heap'),
    'outside the heap MB, early → end': flat('external'),
    'resident MB, early → end': flat('rss'),
    'timers, early → end': flat('timers'),
    'sockets and streams, early → end': flat('emitters'),
    'signals, early → end': flat('signals'),
    'functions, early → end': flat('functions'),
    'CPU of the gateway': share(cpu.gateway),
    'CPU of the servers': share(cpu.servers),
    'CPU of the visitors': share(cpu.visitors),
  }
}
