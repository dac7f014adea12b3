/** A client's file is not what it should be; says where. */
export class DocumentProblem extends Error {
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}
