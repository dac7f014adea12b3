import type { IntentEntry, OutcomeEntry, Recorder } from '../audit/entry.ts'
import type { Distribution, Durations, Measure } from './measure.ts'

interface Observed extends Recorder {
  readonly waiting: number
}

export class ObservedRecorder implements Recorder {
  readonly #recorder: Observed
  readonly #onOutcome: (entry: OutcomeEntry) => void
  readonly #waits: Durations

  /** `waits` collects how long calls waited for the audit log, as the log's recorder reports it. */
  constructor(recorder: Observed, waits: Durations, onOutcome: (entry: OutcomeEntry) => void) {
    this.#recorder = recorder
    this.#waits = waits
    this.#onOutcome = onOutcome
  }

  intent(entry: IntentEntry): ReturnType<Recorder['intent']> {
    return this.#recorder.intent(entry)
  }

  outcome(entry: OutcomeEntry): ReturnType<Recorder['outcome']> {
    this.#onOutcome(entry)
    return this.#recorder.outcome(entry)
  }

  measures(): (Measure | Distribution)[] {
    return [
      {
        name: 'hintgate_audit_wait_seconds',
        otel: 'hintgate.audit.wait',
        help: 'Time that calls waited until their audit rows were durable, in seconds; for rows written together, the longest wait',
        unit: 's',
        kind: 'histogram',
        points: [{ labels: {}, value: this.#waits }],
      },
      {
        name: 'hintgate_audit_waiting',
        otel: 'hintgate.audit.waiting',
        help: 'Calls waiting for the audit log',
        kind: 'gauge',
        points: [{ labels: {}, value: this.#recorder.waiting }],
      },
    ]
  }
}
