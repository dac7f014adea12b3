import type { Json } from '../protocol/messages.ts'
import type { Client } from './client.ts'

/** Where the servers of a document are. */
export interface Block {
  readonly path: readonly string[]
  readonly shape: Client['shape']
}

/** A server as it stands in a client's file. */
export interface Entry {
  readonly name: string
  readonly entry: Json
}

/** What can be done with the text of a client's file. All of it leaves everything else in the text alone. */
export interface DocumentFormat {
  /** The whole value; throws a `DocumentProblem` where there is none. */
  readonly read: (text: string) => Json
  readonly add: (text: string, block: Block, added: Entry) => string
  readonly remove: (text: string, block: Block, name: string) => string
}

/** A client's file is not what it should be; says where. */
export class DocumentProblem extends Error {
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}
