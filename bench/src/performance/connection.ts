/** A client's connection of either era to a server or proxy. */
export interface Connection {
  /** The answer's text: JSON, or server-sent events with JSON. */
  readonly send: (request: Request) => Promise<string>
  /** Also ends the session, if there is one. */
  readonly close: () => Promise<void>
  /** Disconnects without ending the session. */
  readonly drop: () => void
}

export interface Request {
  readonly id: number
  readonly method: string
  readonly tool?: string
  readonly body: string
}
