import { AdminError } from '@hintgate/gateway/admin'

export interface Explained {
  readonly title: string
  readonly detail?: string
}

/** Problems that people meet in the ordinary course of things, in their words. */
const TITLES: Readonly<Record<string, string>> = {
  stale_edit: 'Somebody else changed this meanwhile',
  changed_meanwhile: 'It changed again while you looked at it',
  already_decided: 'Somebody has answered already',
  confirmation_expired: 'The time to answer is over',
  csrf: 'The gateway did not accept where this request came from',
}

/** What went wrong, for a person. */
export function explainFailure(error: unknown): Explained {
  if (!(error instanceof AdminError))
    return {
      title: 'The gateway does not answer',
      detail: 'It may be restarting, or the connection is gone. Nothing was changed.',
    }
  const title = TITLES[error.code] ?? error.problem?.title ?? titleOf(error.status)
  const places = error.problem?.errors?.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  )
  const detail = [error.problem?.detail, ...(places ?? [])].filter(
    part => part !== undefined && part !== title,
  )
  return detail.length === 0 ? { title } : { title, detail: detail.join('\n') }
}

function titleOf(status: number): string {
  if (status === 403) return 'Your role does not allow this'
  if (status === 404) return 'This is not there (any more)'
  if (status === 429) return 'Too many requests'
  return status >= 500 ? 'The gateway failed' : 'The gateway refused this'
}
