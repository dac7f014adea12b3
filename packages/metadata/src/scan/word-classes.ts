/**
 * Words by their role in an attack: addressee, action, object and pretext. Rules combine these classes and never quote
 * a text, so they also match a known attack in new words. Verbs are in their base form, and `_` joins the words of a
 * phrase.
 */
export const WORD_CLASSES = {
  // Words for the readers that a text addresses, and for people from whom it hides something.
  you: "you your you're you've you'll yourself assistant ai llm model agent agents chatbot language_model",
  user: `
    user users customer customers human humans anyone anybody everyone them client end_user victim person
    people operator requester owner reader principal caller
  `,
  users: "user's users' customer's their human's his end_user's",

  // Words that give orders, or that say when an order applies.
  must: `
    must shall should always mandatory required need have_to need_to needs_to has_to ought essential
    compulsory obliged ensure make_sure be_sure please necessary expected never only
  `,
  always: `
    always whenever every each all any automatically also additionally every_time each_time anytime too
    as_well
  `,
  not: `
    not never don't dont no without cannot can't cant avoid refrain won't shouldn't mustn't nor doesn't
    needn't no_need stop neither
  `,
  /** Verbs that turn a negation into an order: "Do not forget to" is not a prohibition. */
  failing: 'forget fail hesitate skip omit neglect miss',
  when: `
    when whenever if before after once while prior_to as_soon_as each_time every_time upon until anytime
  `,
  regardless: 'regardless no_matter irrespective even_if even_when whatever instead_of',
  asks: `
    ask asks asked want wants wanted say says said request requests requested intent prefers objects typed
    entered gave specified chose told
  `,
  these: 'this these those that it such',
  any: 'any all every each',
  nobody: 'nobody no_one',
  toward: 'to at via through',
  within: 'in inside within into under',
  already: 'already explicitly previously',
  whole: 'all any every everything entire each whole anything full complete last',

  // Words that introduce examples.
  sample: 'example sample e.g eg such_as for_instance',

  // Words for orders, and for ignoring them.
  forget: `
    ignore disregard forget neglect discard dismiss set_aside pay_no_attention unlearn abandon overlook
    throw_away disobey pay_no_heed take_no_notice put_aside leave_aside put_out_of_mind do_away_with
    cast_aside shut_out clear_your_memory act_as_if_you_never stop_following no_longer_follow disapply
  `,
  overrule: `
    override overrule bypass supersede circumvent nullify violate cancel suspend disable deactivate evade
    turn_off switch_off defeat subvert disobey defy lift outrank countermand skip suppress
  `,
  prior: `
    previous prior above earlier preceding existing original former foregoing initial past current built_in
    so_far up_to_now said told previously formerly instructed earlier_given
  `,
  instruction: `
    instruction direction directive rule guideline constraint prompt policy guardrail restriction safeguard
    limitation programming guidance mandate system_message system_prompt alignment training order_given
    command_given orders_given brief policies directives_given protocol
  `,
  request: 'request question query task intent intention wish ask',
  safety: `
    safety security ethical ethics moral safeguard protection guardrail moderation filter policy restriction
    limitation censorship sandbox check validation verification guard
  `,
  void: `
    obsolete void invalid cancelled canceled superseded expired revoked suspended no_longer not_apply lifted
    overridden null_and_void inactive withdrawn
  `,
  /** Words for the subject of a check, and for the check itself. */
  checked: 'safety security content approval confirmation consent permission authorization ethical',
  checking: 'check filter policy control measure prompt dialog warning rule validation restriction',
  says: 'say tell contain instruct state',
  weight: 'precedence priority',
  obey: `
    follow obey comply execute heed adhere carry_out act_on act_upon perform do comply_with abide_by
    go_along_with fulfil fulfill satisfy implement accept
  `,
  objective: 'objective goal mission purpose priority role identity task',
  primary: 'new primary real only true main first actual highest top hidden secret',

  // Words for playing a role.
  become: `
    you_are_now you_are_no_longer pretend act_as behave_as roleplay role_play assume_the_role
    assume_the_identity play_the_role take_on_the_role simulate_being you_will_now imagine_you
  `,
  mode: 'mode persona personality',
  unbound: `
    developer dan god debug unrestricted unlimited unfiltered uncensored jailbreak jailbroken maintenance
    superuser sudo god_like evil diagnostic
  `,
  free: 'unrestricted unfiltered uncensored jailbroken unlimited dan evil hacker',
  enter: 'enter enable activate switch',
  limit: 'restriction limit filter guideline censorship',

  // Words about hiding something from the user.
  telling: `
    tell mention inform notify reveal disclose alert acknowledge admit confess bring_up let_know expose
    announce hint talk_about discuss comment_on draw_attention_to refer_to speak_of speak_about hint_at
    point_out say_anything say_a_word own_up give_away let_on make_known call_attention_to report_on
    make_aware
  `,
  showing: `
    show display report say explain describe state flag surface log print warn indicate list repeat share
  `,
  hush: `
    secretly covertly stealthily surreptitiously discreetly clandestinely furtively behind_the_scenes
    under_the_radar in_secret unnoticed undetected unobtrusively invisibly on_the_quiet on_the_sly
    quietly_and_secretly without_a_word unobserved behind_their_back under_cover
  `,
  quietly: 'silently quietly',
  knowledge: 'knowledge consent awareness noticing knowing being_aware suspicion notice',
  secrecy: `
    secret hidden confidential covert concealed invisible undisclosed classified unseen unlisted buried
  `,
  hide: 'hide conceal mask obscure disguise cover_up withhold cloak camouflage',
  order: `
    instruction directive note message operation task agenda step objective command paragraph section fact
    detail change behavior behaviour action process requirement
  `,
  /** Phrases for sparing the user details, which is usually good manners and not an attack. */
  spare: 'bother_telling bother_mentioning bother_informing bother_notifying',
  deceive: 'tell say answer claim pretend assure reply respond state confirm insist deny',
  aware: 'know see notice realize learn find informed told aware suspect',
  upset: 'upset alarm scare worry frighten',
  stealthyAct: 'install download record',
  fine: 'fine successful succeeded safe nothing normal okay ok completed correctly well worked harmless',
} as const
