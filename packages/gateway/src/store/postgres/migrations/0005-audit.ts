import { LOCK, LOCKS } from '../statements/locks.ts'
import { TEXT } from './column-types.ts'
import type { Migration } from './migration.ts'

/**
 * The audit log. Nobody is told of these writes. Rows are added by a function, so that a batch is one trip to the
 * server and no transaction is left open by a gateway that stops in the middle. Whoever adds rows shares a lock from
 * before their ids are given until they can be seen; who has it alone knows that no lower id is still to come.
 */
export const audit: Migration = {
  version: 5,
  statements: [
    `create table hintgate.audit_writers (
      id bigint not null primary key,
      name ${TEXT} not null unique,
      started_at bigint not null,
      place ${TEXT} not null,
      pid bigint not null,
      process_start ${TEXT} not null,
      key_id ${TEXT} not null,
      seen_at bigint not null,
      closed_at bigint,
      open_from bigint not null default 1,
      head_seq bigint not null default 0,
      head_hash ${TEXT} not null default '',
      head_mac ${TEXT} not null default '',
      sealed_seq bigint not null default 0,
      sealed_hash ${TEXT} not null default '',
      sealed_mac ${TEXT} not null default ''
    )`,
    `create table hintgate.audit_rows (
      id bigint not null generated always as identity primary key,
      writer bigint not null,
      seq bigint not null,
      at bigint not null,
      kind ${TEXT} not null check (kind in ('intent', 'outcome', 'call')),
      request ${TEXT} not null,
      agent ${TEXT} not null,
      server ${TEXT} not null,
      tool ${TEXT} not null,
      variant ${TEXT} not null,
      verdict ${TEXT} not null,
      outcome ${TEXT} not null,
      code ${TEXT} not null,
      body ${TEXT} not null,
      prev ${TEXT} not null,
      hash ${TEXT} not null
    )`,
    'create unique index audit_by_chain on hintgate.audit_rows (writer, seq)',
    'create index audit_by_request on hintgate.audit_rows (request)',
    `create index audit_by_agent on hintgate.audit_rows (agent, at, id) where kind <> 'intent'`,
    `create index audit_by_time on hintgate.audit_rows (at, id) where kind <> 'intent'`,
    `create index audit_by_verdict on hintgate.audit_rows (verdict, at, id)
      where kind <> 'intent' and verdict <> 'allow'`,
    `create index audit_by_code on hintgate.audit_rows (code, at, id) where kind <> 'intent' and code <> ''`,
    `create index audit_by_outcome on hintgate.audit_rows (outcome, at, id)
      where kind <> 'intent' and outcome <> 'answered'`,
    appendFunction(),
  ],
}

function appendFunction(): string {
  return `create function hintgate.append_audit(
      own bigint, gone bigint, now_at bigint, first_open bigint,
      head text[], -- number, hash and seal of the last row; null without rows
      numbers bigint[], times bigint[], kinds text[], requests text[], agents text[], servers text[], tools text[],
      variants text[], verdicts text[], outcomes text[], codes text[], bodies text[], prevs text[], hashes text[]
    ) returns boolean language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${LOCKS}, ${LOCK.audit});
      if gone is not null then
        -- In one order, because two may take each other for gone.
        perform 1 from hintgate.audit_writers where id in (own, gone) order by id for update;
        update hintgate.audit_writers set closed_at = now_at where id = gone and closed_at is null;
        if not found then return false; end if;
      end if;
      -- Whoever writes is there, whatever others thought.
      update hintgate.audit_writers set
          head_seq = coalesce(head[1]::bigint, head_seq), head_hash = coalesce(head[2], head_hash),
          head_mac = coalesce(head[3], head_mac), open_from = first_open, seen_at = now_at, closed_at = null
        where id = own and (head is null or head_seq = head[1]::bigint - cardinality(numbers));
      if not found then
        raise exception 'the audit rows do not follow the last row of writer %', own;
      end if;
      insert into hintgate.audit_rows (writer, seq, at, kind, request, agent, server, tool, variant, verdict, outcome,
          code, body, prev, hash)
        select own, seq, at, kind, request, agent, server, tool, variant, verdict, outcome, code, body, prev, hash
        from unnest(numbers, times, kinds, requests, agents, servers, tools, variants, verdicts, outcomes, codes, bodies,
          prevs, hashes) with ordinality as added (seq, at, kind, request, agent, server, tool, variant, verdict,
          outcome, code, body, prev, hash, place)
        order by place;
      return true;
    end $$`
}
