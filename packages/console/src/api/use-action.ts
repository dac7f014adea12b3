import { useMutation } from '@tanstack/react-query'
import { showNotice } from '../shell/notices.ts'
import { explainFailure } from './explain-failure.ts'
import { refresh, type Subject } from './queries.ts'

interface Options<Given, Result> {
  readonly do: (given: Given) => Promise<Result>
  /**
   * The subjects to refetch afterwards. That happens even after a failure, because a refusal often means that the page
   * showed stale data.
   */
  readonly changes: readonly Subject[]
  readonly done?: string | ((result: Result) => string | undefined)
  readonly onDone?: (result: Result, given: Given) => void
}

/** Creates a mutation. It shows a notice with the result, and refetches the subjects that were changed. */
export function useAction<Given, Result>({ do: act, changes, done, onDone }: Options<Given, Result>) {
  return useMutation({
    mutationFn: act,
    onSuccess: (result, given) => {
      const text = typeof done === 'function' ? done(result) : done
      if (text !== undefined) showNotice({ tone: 'good', title: text })
      onDone?.(result, given)
    },
    onError: error => {
      const { title, detail } = explainFailure(error)
      showNotice({ tone: 'bad', title, ...(detail === undefined ? {} : { detail }) })
    },
    onSettled: () => refresh(...changes),
  })
}
