import type { ReactNode } from 'react'
import type { Approval } from '../../api/client.ts'
import { Section } from '../../parts/section.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { pathOf } from '../../shell/paths.ts'

/** Shows the text in an earlier result that asks for this call. */
export function Origin({ approval: { origin } }: { readonly approval: Approval }): ReactNode {
  if (origin === undefined) return undefined
  const { argument, server, tool, request, passage } = origin
  return (
    <Section
      title="Where the request came from"
      about={<a href={`#${pathOf.call(request)}`}>open the call that returned the text</a>}
    >
      <p>
        Text in the result of <Untrusted text={`${server}:${tool}`} max={160} /> asks for{' '}
        {argument === '' ? (
          'this call.'
        ) : (
          <>
            a call like this one and contains the value of <code>{argument}</code>.
          </>
        )}
      </p>
      <blockquote>
        <Untrusted text={passage} max={240} />
      </blockquote>
    </Section>
  )
}
