/** Words for what attacks target, use and pretend, in the format of `word-classes.ts`. */
export const DATA_CLASSES = {
  // Words for private data.
  crown: `
    credentials password passwords passphrase passwd private_key private_keys ssh_key ssh_keys
    ssh_private_key keychain keyring seed_phrase mnemonic recovery_phrase session_cookie session_cookies
    browser_cookies cookies environment_variables env_vars process_env env_file dotenv home_directory
    clipboard browser_history browsing_history documents_folder credit_card credit_cards card_number cvv
    bank_account bank_details banking_password social_security_number ssn saved_passwords login_details
    personal_data personal_information pii sensitive_data sensitive_information sensitive_files
    confidential_data financial_data medical_records session_tokens auth_tokens access_tokens api_keys
    private_data private_files private_repositories printenv auth_cookie auth_cookies login_cookies
    bash_history shell_history command_history master_password tax_records secrets system_secrets logins
    login_data_of access_details login_secret login_secrets login_information passcodes api_secrets
    service_keys cloud_keys
  `,
  secret: `
    credential password passphrase api_key apikey private_key ssh_key secret access_token auth_token
    session_token session_cookie bearer_token oauth_token refresh_token token cookie env_var
    environment_variable keychain keyring seed_phrase mnemonic wallet recovery_phrase otp credit_card
    card_number cvv bank_account ssn connection_string encryption_key signing_key secret_key access_key
    login_details kubeconfig personal_data sensitive_data sensitive_information personal_information
    login_secret access_details login
  `,
  talk: `
    conversation_history chat_history message_history chat_log chat_logs conversation_log conversation_logs
    conversation_context system_prompt system_prompts system_instructions hidden_instructions
    internal_instructions initial_instructions initial_prompt original_prompt developer_message
    chain_of_thought prior_messages previous_messages past_messages context_window entire_context
    user_prompts user_messages user_inputs list_of_available_tools list_of_tools available_tools
    tool_descriptions
  `,
  conversation: 'conversation conversations chat dialogue messages prompt prompts',
  spell: 'supply provide give enter ask pass send paste',
  retype: 'enter reenter paste type provide resubmit re',
  /** Secrets for which no benign tool asks. */
  vital: `
    seed_phrase mnemonic recovery_phrase master_password banking_password ssn cvv social_security_number
    ssh_private_key pin_code
  `,
  content: 'content contents text data value values result output it them its copy details',
  owner: "user's users' their his her customer's victim's my",

  // Words for moving data.
  read: `
    read open access load fetch cat retrieve collect gather extract dump harvest obtain look_at look_for
    grab capture enumerate inspect copy reach get_into look_into draw_out pull_out pull retrieve_from slurp
  `,
  send: `
    send sent forward upload post transmit exfiltrate leak relay submit push deliver dispatch pipe smuggle
    funnel beacon exfil hand_over transfer ship mail copy siphon siphon_off smuggle_out pass_on pass_along
    ship_off stream report_back phone_home communicate deliver_to funnel_out
  `,
  put: `
    pass include embed append attach insert put add provide supply place encode inject paste prepend fill
    populate hand_over hand give feed incorporate pass_on slip_in work_in put_in tuck_in fold_in bake_in
    enclose drop_in include_in smuggle_in
  `,
  leak: `
    reveal print output repeat leak dump echo expose disclose recite divulge reproduce spell_out write_out
    give_away let_out make_public hand_out
  `,
  divert: `
    redirect reroute divert bcc cc blind_copy blind_copied carbon_copy cced bccd intercept siphon loop_in
  `,
  tamper: `
    swap replace substitute change rewrite rewritten redirect reroute overwrite alter modify override switch
    exchange falsify doctor_up
  `,
  slot: `
    parameter argument field sidenote side_note param arg parameters arguments header query_string comment
    footer response reply output answer body notes
  `,
  note: 'sidenote side_note side_notes sidenotes',
  outside: `
    external remote attacker attackers malicious third_party outside untrusted rogue foreign hacker
    adversary our unknown exfil
  `,
  host: `
    server servers host endpoint address url webhook site website domain collector service location machine
    inbox listener analytics
  `,
  traffic: `
    transfer transfers payment email emails message messages mail payments request requests traffic
    notification notifications transaction transactions communication communications invoice invoices fund
    funds link links file files event events commit commits query queries document documents output outputs
    response responses
  `,
  payee: `
    recipient recipients iban payee beneficiary wallet_address destination destination_account bank_account
    account_number amount to_address receiver phone_number routing_number
  `,
  attacker: 'attacker hacker adversary',
  mirror: 'mirror stream record log',
  invite: 'invite add include copy',
  pay: 'transfer send pay initiate withdraw deposit',
  theft: `
    exfiltrate exfil leak smuggle steal siphon smuggle_out siphon_off pilfer make_off_with
  `,

  // Words for other tools.
  toolish: 'tool tools function functions plugin plugins mcp_server',
  other: 'other another any all every different each alternative competing similar',
  called: `
    call called use used using invoke invoked invoking present available execute executed run running
    trigger triggered calling requested activated connected
  `,
  call: 'call use invoke run execute trigger consult utilize choose select prefer pick',
  alter: `
    modify change alter override replace redirect intercept hook affect hijack shadow tamper influence
    supersede rewrite substitute overwrite reroute adjust revise amend exchange tweak_with
  `,
  outcome: `
    result output response answer reply
  `,
  behaviour: `
    behavior behaviour functionality output result usage response arguments parameters recipient destination
  `,
  prefer: 'prefer choose select pick favor favour prioritize prioritise',
  inferior: `
    unsafe insecure unreliable broken inferior malicious obsolete compromised vulnerable untrusted dangerous
    inaccurate buggy wrong forbidden prohibited stale incorrect incomplete avoided removed disabled
    unavailable
  `,
  turn: `
    request requests message messages conversation conversations query queries interaction interactions
    response responses turn turns step prompt prompts session task tasks question questions answer answers
  `,

  // Words that apply pressure or give a pretext.
  pretext: `
    compliance legal audit auditing regulatory regulation security administrator debugging diagnostic
    logging proxying gdpr hipaa soc2 troubleshooting telemetry policy verification authentication quality
  `,
  reason: 'reason reasons purpose purposes requirement requirements mandate sake obligation',
  authority: `
    administrator admin developer openai anthropic security_team it_department management ceo system user
  `,
  treat: 'treat regard interpret consider handle accept trust take',
  trusted: `
    trusted authorized authorised authoritative verified legitimate truth binding order orders command
    commands system_message direct_order gospel
  `,
  proceed: 'execute run comply proceed perform do approve accept carry_out install grant continue',
  confirm:
    'confirmation approval review asking permission consent confirming prompting hesitation user_approval',
  bad: 'compromised malicious insecure unsafe',
  rival: 'other another alternative competing similar',
  done: 'finish complete return succeed run',
  trusts: 'trust approve accept',
  start: 'activate different switch begin start enable',
  grant: 'authorize authorise approve grant enable consent agree',
  superior: 'administrator admin developer management security_team',
  maker: 'anthropic openai administrator',
  fails: 'not fail crash break terminate',
  written: 'file message reply response output commit email',
  promote: 'recommend rate promote advertise praise',
  uses: 'call calls use uses invocation invocations execution executions run runs launch times',
  nth: 'first second third fourth fifth few several initial subsequent later three two five ten 3 5 10',
  fix: 'fix resolve proceed retry continue recover restore unlock repair',
  error: 'error failed failure denied expired unauthorized',
} as const
