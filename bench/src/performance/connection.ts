/** One way to a server or proxy, as a client of either era has it. */
export interface Connection {
  /** The text that came back: JSON, or server-sent events with JSON in them. */
  readonly send: (request: Request) => Promise<string>
  /** Ends the session too, if there is one. */
  readonly close: () => Promise<void>
  /** Goes away without a word. */
  readonly drop: () => void
}

export interface Request {
  readonly id: number
  readonly method: string
  readonly tool?: string
  readonly body: string
}
