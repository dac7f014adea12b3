import type { ReactNode } from 'react'
import type { ReviewItem } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Badge } from '../../parts/badge.tsx'
import { DefinitionTexts } from '../../parts/definition-texts.tsx'
import { Findings } from '../../parts/findings.tsx'
import { Fold } from '../../parts/fold.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Section } from '../../parts/section.tsx'
import { ToolName } from '../../parts/tool-name.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { VersionDiff } from '../../parts/version-diff.tsx'
import { StateBadge } from '../../parts/word-badges.tsx'
import { ReviewBar } from './review-bar.tsx'
import { Suggestion } from './suggestion.tsx'

/** Shows one definition that is waiting for review. */
export function ReviewDetail({ item }: { readonly item: ReviewItem }): ReactNode {
  const { server, kind, name, state, since, why, notice, summary, diff, findings, definition, before } = item
  return (
    <article className="asked" aria-label="Definition waiting for review">
      <header className="asked-head">
        <div className="row-wrap">
          <StateBadge state={state} />
          {kind !== 'tool' && <Badge>{kind}</Badge>}
          {summary.map(text => (
            <Badge key={text} tone={text.startsWith('▼') ? 'bad' : 'neutral'}>
              <Untrusted text={text} max={60} />
            </Badge>
          ))}
          <span className="asked-time faint small">
            first seen <Ago at={since} />
          </span>
        </div>
        <h2 className="asked-action">
          <ToolName server={server} name={name} link={kind === 'tool'} />
        </h2>
        {why !== undefined && (
          <p className="warning">
            <Untrusted text={why} />
          </p>
        )}
        {notice !== undefined && (
          <p className="warning">
            This definition only became stricter ({notice}), so the change was accepted and agents can use it.
            Approve the definition to acknowledge the change.
          </p>
        )}
      </header>
      {diff !== undefined && (
        <Section title="What changed" about="compared with the last approved version">
          <VersionDiff diff={diff} />
        </Section>
      )}
      {findings.length > 0 && (
        <Section title={`Scanner findings (${findings.length})`}>
          <Findings findings={findings} />
        </Section>
      )}
      <Section title="Text in the definition" about="findings highlighted">
        <DefinitionTexts definition={definition} findings={findings} />
      </Section>
      {item.suggestion !== undefined && <Suggestion suggestion={item.suggestion} />}
      <Fold title="Full definition">
        <JsonView value={definition} />
      </Fold>
      {before !== undefined && (
        <Fold title="Previous version">
          <JsonView value={before} />
        </Fold>
      )}
      <ReviewBar item={item} />
    </article>
  )
}
