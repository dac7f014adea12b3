import type { ReactNode } from 'react'
import type { Approval } from '../../api/client.ts'
import { Section } from '../../parts/section.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { pathOf } from '../../shell/paths.ts'

/** The text, in an earlier result, that asks for this call. */
export function Origin({ approval: { origin } }: { readonly approval: Approval }): ReactNode {
  if (origin === undefined) return undefined
  const { argument, server, tool, request, passage } = origin
  return (
    <Section
      title="Where it came from"
      about={<a href={`#${pathOf.call(request)}`}>open the call that read it</a>}
    >
      <p>
        {argument === '' ? (
          'This call was asked for by a text in a result of '
        ) : (
          <>
            The value of <code>{argument}</code> stands in a text that asks for such a call, in a result of{' '}
          </>
        )}
        <Untrusted text={`${server}:${tool}`} max={160} />.
      </p>
      <blockquote>
        <Untrusted text={passage} max={240} />
      </blockquote>
    </Section>
  )
}
