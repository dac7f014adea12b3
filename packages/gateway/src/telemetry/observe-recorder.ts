import type { OutcomeEntry } from '../audit/entry.ts'
import type { Recorder } from '../call/recorder.ts'
import { type Distribution, Durations, type Measure } from './measure.ts'

/** Sees what is written into the audit log, and how long calls wait for it. */
export class ObservedRecorder implements Recorder {
  readonly #recorder: Recorder
  readonly #onOutcome: (entry: OutcomeEntry) => void
  readonly #lag = new Durations()
  #waiting = 0

  constructor(recorder: Recorder, onOutcome: (entry: OutcomeEntry) => void) {
    this.#recorder = recorder
    this.#onOutcome = onOutcome
  }

  intent(entry: Parameters<Recorder['intent']>[0]): ReturnType<Recorder['intent']> {
    return this.#time(this.#recorder.intent(entry))
  }

  outcome(entry: OutcomeEntry): ReturnType<Recorder['outcome']> {
    this.#onOutcome(entry)
    return this.#time(this.#recorder.outcome(entry))
  }

  measures(): (Measure | Distribution)[] {
    return [
      {
        name: 'hintgate_audit_wait_seconds',
        otel: 'hintgate.audit.wait',
        help: 'How long calls waited until the audit log was durable',
        unit: 's',
        kind: 'histogram',
        points: [{ labels: {}, value: this.#lag }],
      },
      {
        name: 'hintgate_audit_waiting',
        otel: 'hintgate.audit.waiting',
        help: 'Calls that wait for the audit log at this moment',
        kind: 'gauge',
        points: [{ labels: {}, value: this.#waiting }],
      },
    ]
  }

  /** Reads wait for nothing, and cost nothing here. */
  #time(written: undefined | Promise<void>): undefined | Promise<void> {
    if (written === undefined) return undefined
    const startedAt = performance.now()
    this.#waiting += 1
    const done = (): void => {
      this.#waiting -= 1
      this.#lag.add((performance.now() - startedAt) / 1000)
    }
    written.then(done, done)
    return written
  }
}
