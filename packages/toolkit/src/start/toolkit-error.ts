import type { Finding } from '@hintgate/metadata'

/** A problem with a part of a toolkit. */
export interface ToolkitFinding extends Finding {
  /** The name of the tool, resource or prompt, or of the toolkit if the problem concerns the whole toolkit. */
  readonly subject: string
}

/** Thrown if a toolkit cannot start. It contains all problems. */
export class ToolkitError extends Error {
  readonly code = 'invalid_toolkit'
  readonly findings: readonly ToolkitFinding[]

  constructor(name: string, findings: readonly ToolkitFinding[]) {
    super(describe(name, findings))
    this.name = 'ToolkitError'
    this.findings = findings
  }
}

function describe(name: string, findings: readonly ToolkitFinding[]): string {
  const count = findings.length === 1 ? '1 problem' : `${findings.length} problems`
  const lines = findings.map(({ subject, path, code, message, fix }) => {
    const where = path === '' ? subject : `${subject}: ${path}`
    return `  ${where}: ${message} (${code})\n    ${fix}`
  })
  return [`The toolkit ${JSON.stringify(name)} cannot start: ${count}`, ...lines].join('\n')
}
