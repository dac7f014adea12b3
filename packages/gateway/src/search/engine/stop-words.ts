/** Words without a subject: not worth a match in prose. In names they are kept (`who_is`). */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the and or but nor if then else of to in on at by for from with without into onto over under as is are ' +
    'was were be been being am do does did done doing have has had having i me my mine we us our ours you your ' +
    'yours he him his she her hers it its they them their theirs this that these those there here what which who ' +
    'whom whose when where why how can could would should will shall may might must not no any some such than too ' +
    'very just also so about up out off again more most other another own same please don doesn didn isn aren wasn ' +
    'weren won couldn shouldn wouldn hasn haven hadn both each all every between during before after while until ' +
    'because since through s t d ll m re ve eg ie etc e g'
  ).split(' '),
)

/** What people say around their wish, and verbs that almost every tool shares: weak evidence, not none. */
export const FILLER_WORDS: ReadonlySet<string> = new Set(
  (
    'want need like help looking look know tell give let provide assist wonder wondering interested trying try ' +
    'able possible use using kindly hi hello thanks thank sure get find show make something anything thing things ' +
    'way go going'
  ).split(' '),
)
