import { listWords } from './word-list.ts'

/** Evidence from a parameter's name, in log-odds. */
export interface ParameterRule {
  readonly id: string
  /** Complete names, with words joined by `_`: `dry_run` also matches dryRun, dry-run and DryRun. */
  readonly names: readonly string[]
  readonly readOnly?: number
  readonly openWorld?: number
  /** True if the tool's effect depends on the value of this parameter. */
  readonly opaque?: true
  readonly egress?: true
  /** True if the rule applies only to parameters that take free text. */
  readonly text?: true
  readonly sensitive?: true
}

export const PARAMETER_RULES: readonly ParameterRule[] = [
  {
    id: 'param.command',
    names: listWords('command commands cmd shell shell_command command_line bash script shell_script argv'),
    readOnly: -1.6,
    opaque: true,
  },
  {
    id: 'param.sql',
    names: listWords('sql sql_query sql_statement statement statements cypher sql_statements sqls'),
    readOnly: -1.2,
    opaque: true,
  },
  {
    id: 'param.code',
    names: listWords(
      'code python_code javascript js_code source_code function_code expression program function javascript_code',
    ),
    readOnly: -0.8,
    opaque: true,
  },
  {
    id: 'param.recipient',
    names: listWords(
      'to recipients recipient cc bcc to_email to_address phone_number to_number email_to recipient_email',
    ),
    readOnly: -1,
    openWorld: 1,
    egress: true,
    text: true,
  },
  {
    id: 'param.webhook',
    names: listWords('webhook webhook_url callback_url callback notification_url'),
    readOnly: -1,
    openWorld: 1,
    egress: true,
  },
  { id: 'param.url', names: listWords('url urls uri link website domain'), openWorld: 0.8 },
  {
    id: 'param.force',
    names: listWords(
      'force recursive permanently permanent hard_delete purge delete_all cascade force_delete',
    ),
    readOnly: -1.2,
  },
  {
    id: 'param.overwrite',
    names: listWords('overwrite replace replace_all replace_existing if_exists clobber allow_overwrite'),
    readOnly: -1.2,
  },
  {
    id: 'param.dry-run',
    names: listWords('dry_run dryrun preview_only validate_only what_if'),
    readOnly: -1,
  },
  {
    id: 'param.confirm',
    names: listWords('confirm confirmed confirmation confirm_delete user_confirmed approved'),
    readOnly: -1.2,
  },
  {
    id: 'param.idempotency-key',
    names: listWords('idempotency_key idempotency_token client_token'),
    readOnly: -1.5,
  },
  {
    id: 'param.output-file',
    names: listWords(
      'output_path output_file output_dir output_directory destination_path dest_path target_path output ' +
        'download_path local_path output_folder file_output use_file_output output_file_path out_file',
    ),
    readOnly: -2.2,
    text: true,
  },
  {
    id: 'param.save',
    names: listWords('save_to save_to_file save_path save_file save_as save save_dir save_directory'),
    readOnly: -3.4,
  },
  {
    id: 'param.paging',
    names: listWords(
      'limit offset page page_size per_page page_token cursor max_results skip top first last after before sort ' +
        'sort_by sort_order order_by order page_number start_index count num_results next_token next_page_token ' +
        'starting_after ending_before max_items max_result page_limit size',
    ),
    readOnly: 0.8,
  },
  {
    id: 'param.searching',
    names: listWords(
      'query q search search_query search_term keyword keywords filter filters since until start_time end_time ' +
        'from_date to_date start_date end_date time_range fields include expand select lookback timeframe ' +
        'include_details verbose detail_level group_by',
    ),
    readOnly: 0.5,
  },
  {
    id: 'param.payload',
    names: listWords(
      'body content contents data payload text message value values new_value title description name color ' +
        'updates changes patch fields_to_update attributes comment note notes subject priority status state assignee ' +
        'assignee_id labels tags due_date settings properties metadata config configuration enabled',
    ),
    readOnly: -0.25,
  },
  {
    id: 'param.new-value',
    names: listWords(
      'new_name new_title new_text new_content new_path new_string old_string new_str old_str new_status html_body body_html ' +
        'attachments parent_id file_content',
    ),
    readOnly: -1,
  },
  {
    id: 'param.secret',
    names: listWords(
      'password secret token api_key access_token private_key credentials credential ssn card_number',
    ),
    readOnly: -0.3,
    sensitive: true,
  },
]

/** Parameters that select one of the tool's actions. The values of their enum are verbs. */
export const ACTION_PARAMETERS: ReadonlySet<string> = new Set(
  listWords(
    'action actions operation operations method command op verb action_type operation_type sub_command subcommand ' +
      'request_type http_method',
  ),
)
