import { AdminError } from '@hintgate/gateway/admin'

export interface Explained {
  readonly title: string
  readonly detail?: string
}

/** Titles for problems that occur in normal use. */
const TITLES: Readonly<Record<string, string>> = {
  stale_edit: 'Someone else changed this after you opened it',
  changed_meanwhile: 'This changed again after you opened it',
  already_decided: 'This call has already been answered',
  confirmation_expired: 'The time to answer has run out',
  csrf: 'The gateway rejected the origin of this request',
}

/** Describes an error for people. */
export function explainFailure(error: unknown): Explained {
  if (!(error instanceof AdminError))
    return {
      title: 'The gateway is not responding',
      detail: 'It may be restarting, or the connection was lost. Reload the page to see the current state.',
    }
  const title = TITLES[error.code] ?? error.problem?.title ?? titleOf(error.status)
  const fieldErrors = error.problem?.errors?.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  )
  const detail = [error.problem?.detail, ...(fieldErrors ?? [])].filter(
    part => part !== undefined && part !== title,
  )
  return detail.length === 0 ? { title } : { title, detail: detail.join('\n') }
}

function titleOf(status: number): string {
  if (status === 403) return 'Your role does not allow this'
  if (status === 404) return 'This no longer exists'
  if (status === 429) return 'Too many requests'
  return status >= 500 ? 'The gateway failed' : 'The gateway refused the request'
}
