import type { ReactNode } from 'react'
import type { Approval } from '../../api/client.ts'
import { Arguments } from '../../parts/arguments.tsx'
import { HintList } from '../../parts/hint-list.tsx'
import { Reasons } from '../../parts/reasons.tsx'
import { Section } from '../../parts/section.tsx'
import { ToolName } from '../../parts/tool-name.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { VariantBadge } from '../../parts/word-badges.tsx'
import { Countdown } from './countdown.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { DecisionMade } from './decision-made.tsx'
import { Origin } from './origin.tsx'
import { SessionRisk } from './session-risk.tsx'
import type { Decide } from './use-decide.ts'

interface Props {
  readonly approval: Approval
  readonly decide: Decide
}

/** Shows everything that a person needs to decide on a call. */
export function ApprovalDetail({ approval, decide }: Props): ReactNode {
  const { action, title, server, tool, variant, principal, hints, reasons, preview, others } = approval
  return (
    <article className="asked" aria-label="Call waiting for approval">
      <header className="asked-head">
        <div className="row-wrap">
          <VariantBadge variant={variant} />
          <ToolName server={server} name={tool} />
          <span className="faint">by</span>
          <Untrusted text={principal} max={80} />
          {approval.state === 'pending' && (
            <span className="asked-time">
              <Countdown from={approval.createdAt} until={approval.expiresAt} />
            </span>
          )}
        </div>
        <h2 className="asked-action">
          <Untrusted text={action === '' ? title : action} max={600} />
        </h2>
      </header>
      <Section title="Arguments">
        {approval.isCut && (
          <p className="warning" role="alert">
            Some arguments are not shown yet because they are long and still loading. To see the whole call,
            run <code>hintgate approvals show {approval.id}</code>.
          </p>
        )}
        <Arguments value={approval.arguments} />
        {others !== undefined && <Arguments value={others} />}
      </Section>
      {preview !== undefined && (
        <Section title="Preview" about="The changes that the call would make, as reported by the tool">
          <pre className="code-box">
            <Untrusted text={preview} lines />
          </pre>
        </Section>
      )}
      <Section title="Why approval is needed">
        <Reasons reasons={reasons} />
      </Section>
      {approval.approvers > 1 && <JointApproval approval={approval} />}
      <Section title="Tool hints">
        <HintList hints={hints} />
      </Section>
      <Origin approval={approval} />
      <SessionRisk approval={approval} />
      {approval.state === 'pending' ? (
        <DecisionBar approval={approval} decide={decide} />
      ) : (
        <DecisionMade approval={approval} />
      )}
    </article>
  )
}

function JointApproval({ approval }: Pick<Props, 'approval'>): ReactNode {
  const { approvers, approvedBy = [] } = approval
  return (
    <Section title="Several people must approve">
      <p>
        {approvedBy.length} of {approvers} have approved
        {approvedBy.length > 0 && (
          <>
            : <Untrusted text={approvedBy.join(', ')} max={400} />
          </>
        )}
      </p>
    </Section>
  )
}
