import { api, type HintSettings, type ReviewItem } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { showNotice } from '../../shell/notices.ts'

interface Verdict {
  readonly items: readonly ReviewItem[]
  readonly verdict: 'approve' | 'reject'
  readonly note?: string
  /** Hints to set as an override before the tool is approved. */
  readonly hints?: HintSettings
}

async function review({ items, verdict, note, hints }: Verdict) {
  const [first] = items
  if (hints !== undefined && first !== undefined) await setHints(first, hints)
  return api.reviewMany({
    body: {
      items: items.map(({ server, kind, name, fingerprint }) => ({
        server,
        kind,
        name,
        fingerprint,
        verdict,
      })),
      ...(note === undefined || note === '' ? {} : { note }),
    },
  })
}

async function setHints({ server, name }: ReviewItem, hints: HintSettings): Promise<void> {
  const params = { server, name }
  const { etag } = await api.getTool({ params })
  await api.setOverride({ params, body: { hints }, ifMatch: etag })
}

/** Approves or rejects definitions in exactly the versions that were shown. */
export function useReview(onDone?: () => void) {
  return useAction({
    do: async (verdict: Verdict) => ({ ...(await review(verdict)), verdict: verdict.verdict }),
    changes: ['review', 'tools', 'overview', 'servers', 'welcome'],
    done: ({ done, verdict }) =>
      done === 0
        ? undefined
        : `${verdict === 'approve' ? 'Approved' : 'Rejected'}${done > 1 ? ` ${done}` : ''}`,
    onDone: ({ refused }) => {
      for (const { name, why } of refused.slice(0, 3))
        showNotice({ tone: 'bad', title: `Could not review ${name}`, detail: why })
      onDone?.()
    },
  })
}
