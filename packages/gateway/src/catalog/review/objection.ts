/** Why a command of a reviewer cannot be done as it was given. */
export interface Objection {
  /** It was asked for in the wrong way; otherwise things are not as they would have to be. */
  readonly isUsage: boolean
  readonly message: string
  readonly fix: string
}

export function isObjection(value: unknown): value is Objection {
  return typeof value === 'object' && value !== null && 'isUsage' in value && 'fix' in value
}
