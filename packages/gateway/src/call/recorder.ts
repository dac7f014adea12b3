/** What is written down of a call: before it is forwarded, and how it ended. */
export interface CallRecord {
  readonly requestId: string
  readonly principal: string
  readonly server: string
  readonly tool: string
  readonly phase: 'intent' | 'outcome'
  readonly variant?: string
  readonly outcome?: string
}

export interface Recorder {
  write(record: CallRecord): void | Promise<void>
}
