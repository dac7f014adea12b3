import type { ExportResult } from './opentelemetry.ts'

interface Exporter {
  export(items: never, done: (result: ExportResult) => void): void
}

/** Whether what is sent arrives. A receiver that is away is told of once, not at every attempt. */
export class Delivery {
  readonly #onTrouble: (line: string) => void
  #isFailing = false

  constructor(onTrouble: (line: string) => void) {
    this.#onTrouble = onTrouble
  }

  watch<E extends Exporter>(exporter: E): E {
    const send = exporter.export.bind(exporter)
    exporter.export = (items, done) =>
      send(items, result => {
        this.#note(result)
        done(result)
      })
    return exporter
  }

  #note({ code, error }: ExportResult): void {
    const isFailing = code !== 0
    if (isFailing === this.#isFailing) return
    this.#isFailing = isFailing
    const why = error?.message === undefined || error.message === '' ? 'no reason was given' : error.message
    this.#onTrouble(
      isFailing ? `telemetry does not arrive (${why}); calls are not affected` : 'telemetry arrives again',
    )
  }
}
