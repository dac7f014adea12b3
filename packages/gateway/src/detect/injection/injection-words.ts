/**
 * Words by the part they play when a text talks to a model, in the languages that models read. A rule names
 * parts, never a text: whoever words it anew still has to set instructions aside, ask for something, or claim
 * to be someone. Entries are the beginnings of words, so that endings do not matter; `_` ends a word. Texts of
 * scripts without spaces are searched for them anywhere.
 */
export const SPOKEN_PARTS = {
  /** Setting instructions aside. */
  ignore: `
    ignore_, ignoring, disregard, forget_, overlook, pay no attention, do not follow, stop following,
    ignora, ignorez, ignorier, ignoruj, ignorar, olvid, oubli, vergiss, vergesst, vergessen, dimentic,
    esqueça, esqueca, desconsider, negeer, vergeet, pomiń, игнор, забуд, проигнор, görmezden, yoksay, unut,
    abaikan, lupakan, bỏ qua, hãy quên, تجاهل, انسى, انس_, अनदेख, नज़रअंदाज, भूल जा, उपेक्षा, উপেক্ষা,
    ভুলে যা, অগ্রাহ্য, 무시, 잊어, αγνόησ, התעלם, set aside, dismiss_, discard_, dismiss all, throw away,
    do away with, override_, pay no heed, skip all, cancel all, abandon_, faire abstraction,
    ne tenez pas compte, ne tiens pas compte, hiçe say, dikkate alma, göz ardı, huwag pansinin,
    huwag mong pansinin, kalimutan, balewalain, بغض النظر, لا تهتم, تغاضى, पर ध्यान न, đừng để ý, quên_,
    negér
  `,
  prior: `
    previous, prior_, above_, preceding, everything, everth, all that, before_, earlier, so far,
    all instructions, all the instructions, anterior, précédent, precedent, ci-dessus, au-dessus, vorherig,
    bisherig, vorangeg, obig, oben_, sopra_, acima_, lo que te, tout ce que, alles, tutto, tudo, todo_,
    предыдущ, прежн, выше, всё, все_, poprzedn, powyż, önceki, yukarıda, sebelum, di atas, trước, ở trên,
    السابق, السا, أعلاه, ما سبق, पिछल, उपर, ऊपर, पूर्व, পূর্ব, আগের, উপরের, 이전, 위의, 위를, 앞선, προηγ, הקודמות,
    foregoing, initial_, existing, current instructions, naunang, nauna, nakaraang, nasa itaas, sa itaas,
    lahat, كل ما, جميع, सभी, সব, সমস্ত, 모든, tất cả, semua, tüm, toutes, wszystk
  `,
  instruction: `
    instruct, directive, guideline, system prompt, your prompt, told, programming_, your rules, the rules_,
    instruc, instruç, consigne, anweisung, vorgaben, istruzion, indicazion, инструкц, указани, polece,
    talimat, yönerge, instruksi, perintah, hướng dẫn, chỉ thị, تعليم, निर्देश, নির্দেশ, 지시, 명령, οδηγ,
    הוראות, orders_, guidance, context_, restrictions, what you were, panuto, tagubilin, utos, أوامر, توجيه,
    lệnh, आदेश, আদেশ, emirler, komutlar
  `,
  /** What a model was given to work on. */
  source: `
    the webpage, the web page, the page_, the website, the resume_, the article, the paper_, the document,
    the function_, the email_, the text_, the table_, the question, the task_, the conversation, la función,
    el artículo, la page, l'article, die seite, la pagina, il testo, o texto, a página, sơ yếu, रेज़्यूमे
  `,
  /** What nobody hands out. */
  secret: `
    password, passcode, passphrase, passwd, secret key, secret code, secret phrase, pass phrase,
    access code, login details, credentials_, api key, contraseñ, clave secreta, clave de acceso,
    mot de passe, mots de passe, clé secrète, code secret, passwort, kennwort, geheimschlüssel, senha,
    palavra-passe, chave secreta, parola d'ordine, chiave segreta, wachtwoord, парол, секретн, hasło, hasła,
    hasłem, şifre, parola, kata sandi, kunci rahasia, mật khẩu, mã bí mật, khóa bí mật, كلمة المرور,
    كلمة السر, كلمات المرور, المفتاح السري, पासवर्ड, गुप्त कुंजी, পাসওয়ার্ড, গোপন, 비밀번호, 패스워드, 암호, 비밀 키,
    κωδικ, סיסמ, secret word, secret_ password, secret information, confidential information, the secret_,
    pin code, your pin_, geheimnis, geheime, secreto, segreto, segredo, le secret_, كلمة مرور, كلمات مرور,
    رمز المرور, الرمز السري, باسورد, السر_, password mo, mot secret, hasłami, gizli, rahasia, bí mật, गुप्त,
    비밀
  `,
  /** What belongs to a person. */
  personal: `
    birth date, birthdate, date of birth, birthday, birth day, birth year, birth month, bank balance,
    account balance, home address, email address, e-mail address, city of residence, phone number,
    social security, credit card, user's name, your database, first name, last name, full name,
    currently live, currently lives, fecha de nacimiento, correo electrónico, ciudad de residencia,
    saldo bancario, date de naissance, adresse e, adresse électronique, ville de résidence, geburtsdatum,
    geburtstag, e-mail-adresse, wohnort, data de nascimento, endereço de e, cidade de residência,
    data di nascita, indirizzo e, città di residenza, residenza, дат рожд, дата рожд, дату рожд, дня рожд,
    день рожд, город проживания, живет, doğum, ikamet, e-posta, tanggal lahir, alamat email, kota tempat,
    tempat tinggal, ngày sinh, địa chỉ email, sống ở, تاريخ الميلاد, تاريخ ميلاد, عنوان البريد,
    البريد الإلكتروني, जन्म, ईमेल पत, निवास, জন্ম, ইমেল ঠি, ইমেইল ঠি, বসবাস, 생년월일, 생일, 이메일 주소, 거주, 살고,
    ημερομηνία γέν, the user's, the users', about the user, of the user_, user's email, date d'anniversaire,
    anniversaire de, datos personales, dati personali, dados pessoais, données personnelles,
    persönliche daten, персональн, личн, kişisel, data pribadi, dữ liệu cá nhân, البيانات الشخصية,
    عيد ميلاد, व्यक्तिगत, ব্যক্তিগত, 개인, petsa ng kapanganakan, kaarawan, email address ni, nakatira,
    adres ng, où habite, où vit, wo wohnt, wo lebt, dove vive, dove abita, dónde vive, onde vive, onde mora,
    где живет, где живёт, nerede yaş, يعيش, رصيد
  `,
  /** Wanting something said or handed over. */
  tell: `
    tell me, give me, show me, send me, share with me, share your, share the, let me know, provide me,
    provide the, remind me, inform me, can you tell, could you tell, print your, print the, print out,
    reveal, confirm the, spell out, answer all of my, dime_, dame_, decirme, dígame, dinos, muéstra,
    comparte, compartir, puedes decir, dis-moi, dites-moi, me dire, donne-moi, donnez-moi, partag, confirm,
    pouvez-vous me, sag mir, sagen sie mir, mir sagen, gib mir, geben sie mir, teilen, bestätig, mi dica,
    dimmi, dirmi, dammi, dammelo, condivid, me diga, me diz, dizer-me, me dizer, dê-me, me dê, compartilh,
    diga-me, скажи, подскаж, сообщи, дай мне, дайте, расскаж, подел, powiedz mi, podaj, söyle, paylaş,
    verir mi, beritahu, katakan, berikan, bagikan, mengonfirmasi, cho tôi, nói cho, chia sẻ, xác nhận,
    أخبرني, إخباري, تخبرني, أعطني, أعطيني, مشاركة, شارك, मुझे बता, बता सक, बताइए, बताएं, साझा, मुझे दें,
    দয়া করে বল, আমাকে বল, বলতে পার, বলুন, শেয়ার, 알려, 말해, 공유, 말씀, 주세요, 제공, πες μου, would you mind,
    hand over, disclose, divulge, write down, would you share, can you share, could you share, can i have,
    may i have, i need your, i need the, sabihin, ibahagi, ibigay, ipaalam, maaari mo bang, maaari mo ba,
    pwede mo bang, هل يمكنك, قل لي, شاركني, أن تخبر, pouvez-vous, peux-tu, könnten sie, können sie,
    kannst du, puedes_, podrías, podría_, puoi_, potresti, poderia_, você pode, pode me, можешь, можете,
    можно ли, bana_, misin_, bisakah, dapatkah, bạn có thể, có thể cho, क्या आप, আপনি কি, 수 있나요, 수 있습니까,
    수 있을까, 줄래
  `,
} as const

/** Claims, games and tricks. */
export const TRICK_PARTS = {
  /** Calling it a game, a test or another world. */
  pretext: `
    imagine we, imagine that we, suppose we, suppose you, let's say, let us say, let's pretend,
    let's imagine, let's assume, let us assume, let's admit, hypothetical, for testing purposes,
    testing purposes, just for testing, security check, security audit, research project, in a world,
    we might say, for this exercise, for the sake of, to make this, research shows, logically,
    common practice, in this peaceful, imagina_, imaginemos, supongamos, imagine que, imaginons, imaginez,
    supposons, supposez, stell dir vor, stellen sie sich, angenommen, nehmen wir an, immagina, supponiamo,
    suponha, vamos supor, digamos, stel je voor, представ, предположим, wyobraź, hayal ed, hayal et,
    varsayalım, diyelim ki, bayangkan, misalkan, anggap saja, anggaplah, tưởng tượng, giả sử, تخيل, لنفترض,
    افترض, कल्पना, मान ल, কল্পনা, ধরুন, ধরা যাক, 상상, 가정, dans un monde, en un mundo, in einer welt,
    in un mondo, num mundo, em um mundo, в мире, di dunia, trong một thế giới, trong thế giới, في عالم,
    एक ऐसी दुनिया, এমন এক বিশ্ব, এক বিশ্বে, φαντάσου, imagine you're in, imagine that, what if i,
    what would you say, if i asked, if i were to ask, if i told you, pretend that, in a parallel,
    thought experiment, just curious, for educational purposes, educational purposes, faisons comme si,
    faire semblant, tun wir so, facciamo finta, finge, fingiamo, imaginário, hipotét, hypothét, ipotetic,
    hypothetisch, гипотет, varsayımsal, hipotetis, giả định, افتراضي, काल्पनिक, কাল্পনিক, 가상, isipin mo,
    isipin na, kunwari, ipagpalagay, تظاهر
  `,
  /** Claiming a rank or a bond that nobody can check. */
  authority: `
    i am god, i'm the president, i am the president, i'm your, i am your, your creator, your maker,
    your boss, your supervisor, your administrator, your developer, your maintainer, as your,
    i'm actually a, i am actually a, developed by, i'm an admin, i am an admin, i am the admin,
    i'm the admin, as a famous, as a renowned, as an expert, soy tu, soy el presidente, soy dios,
    je suis votre, je suis ton, je suis le président, je suis dieu, ich bin ihr_, ich bin dein,
    ich bin der präsident, ich bin gott, sono il tuo, sono il presidente, sono dio, sou seu, sou o seu,
    sou o presidente, sou deus, я ваш, я твой, я президент, я бог, я сопровожд, как ваш, ben senin,
    ben tanrı, başkanıyım, saya adalah, sebagai pencipta, aku adalah, tôi là, أنا رئيس, أنا المشرف,
    أنا صديق, أنا مدير, أنا الله, मैं आपका, मैं आपके, मैं राष्ट्रपति, मैं भगवान, मैं तुम्हारा, আমি আপনার,
    আমি তোমার, আমি ঈশ্বর, আমি রাষ্ট্রপতি, 나는 너의, 저는 당신의, 나는 당신의, 나는 신이, 나는 대통령, 저는 미국, i am the ceo,
    i'm the ceo, i created you, i made you, i'm a security, i am a security, i'm from, i am from the,
    i work for, as the administrator, as an administrator, as a developer, as the developer, as a scientist,
    as a researcher, als ihr_, als dein, como tu, como seu, come tuo, in qualità di, будучи, với tư cách,
    بصفت, باعتبار, के रूप में, হিসাবে, হিসেবে, ako ang, ako ay, bilang_, أنا خالق, أنا المطور
  `,
  /** Another self, or a mode without limits. */
  role: `
    you are now, you're now, from now on, act as, do anything now, dan_, jailbreak mode, god mode,
    mode enabled, system mode, developer mode, debug mode, maintenance mode, override mode, system override,
    system reset, without restrictions, no restrictions, no filters, without any filters, are not bound,
    don't have to abide, ahora eres, eres ahora, modo dios, modo desarrollador, tu es maintenant,
    vous êtes maintenant, mode dieu, du bist jetzt, sie sind jetzt, gott-modus, ora sei, sei ora,
    adesso sei, agora você é, você é agora, modo deus, теперь ты, теперь вы, ты теперь, режим бога,
    artık sen, şimdi sen, tanrı modu, sekarang kamu, sekarang anda, modus tuhan, mode tuhan, bây giờ bạn,
    bạn bây giờ, chế độ, أنت الآن, وضع الإله, अब आप, आप अब, ড্যান, এখন আপনি, আপনি এখন, आज से, 이제 너는, 이제 당신은,
    지금부터, 신 모드, ngayon ikaw, ikaw ay ngayon, mula ngayon, diyos mode, à partir de maintenant, désormais,
    ab jetzt, von nun an, d'ora in poi, a partir de ahora, a partir de agora, с этого момента, отныне,
    bundan sonra, mulai sekarang, từ bây giờ, من الآن, अब से, এখন থেকে, you will act, you're going to act,
    pretend you are, simulate a, stay in character, unfiltered_ ai, uncensored ai, mode activated, mode on_,
    <system, <god, <admin, <developer, [system, [admin, mode système, systemmodus, modo sistema, modalità,
    режим, sistem modu, mode sistem, وضع النظام, सिस्टम मोड, সিস্টেম মোড, 시스템 모드
  `,
  /** Another alphabet for what must not be read. */
  encode: `
    base64, base32, base16, base85, rot13, rot-13, caesar, césar, cesare, leetspeak, leet speak, pig latin,
    morse, cipher, chiffre, cifrado, cifrario, cifra de, decode, decodif, decodez, décod, decodific,
    dekodier, entschlüssel, декодир, расшифр, çöz, binary string, encode, encoding, in reverse order,
    reverse order, orden inverso, ordine inverso, ordem inversa, backwards, hexadecimal, 디코딩, 암호화, ডিকোড,
    डिकोड, giải mã, فك تشفير, فك شفرة, substitution, substitute words, with relevant emoji, concatenat,
    decipher, decrypt, unscramble, in binary, in hex, in ascii, ascii values, letter by letter,
    first letter of each, each letter, each digit, without vowels, alphabetical order, spelled backward,
    in reverse, en binaire, en verlan, à l'envers, rückwärts, al contrario, al revés, de trás para,
    наоборот, задом наперед, tersten, terbalik, đảo ngược, معكوس, العكس, बेस64, উল্টো, उल्टे, 거꾸로, 역순,
    baligtad, fonetik
  `,
  /** What the model writes. */
  reply: `
    your response, your reply, your answer, your output, your implementation, your algorithm, your code_,
    your next message, your summary, your final answer, tu respuesta, su respuesta, votre réponse,
    ta réponse, ihre antwort, deine antwort, la tua risposta, sua resposta, tua resposta, ваш ответ,
    твой ответ, cevabın, yanıtın, jawaban anda, jawabanmu, câu trả lời của bạn, إجابتك, ردك_, अपने उत्तर,
    अपनी प्रतिक्रिया, আপনার উত্তর, 당신의 답변, 너의 대답, your text, your translation, your explanation,
    your message, your email, your solution, your script, your program, sagot mo, tugon mo, iyong sagot
  `,
  /** Putting words in its mouth. */
  say: `
    say the, say that, and say, say:, state:, and state_, say ", say ', respond with, reply with,
    answer with, respond only, reply only, output only, tell the user, y decir, y di_, di que, decir que,
    et dire, dites que, dis que, pourrions dire, und sage, sagen sie, und sag, e di', e dici, dire:, e diga,
    diga que, dizer que, и скажи, ve söyle, ve de_, dan katakan, dan sebut, và nói, nói rằng, وقل, و قل,
    قل إن, और कह, कहें कि, এবং বল, 말하세요, 라고 말, say it, only say, simply say, just say, always say,
    output the, print ", write ", claim that, conclude that, at sabihin, dis:, sage:
  `,
  /** Turning from one thing to another. */
  turn: `
    actually,can, actually,could, oh,and, oh and, anyway,can, anyway,do, speaking of, by the way, instead_,
    en fait, à la place, en parlant de, au fait, à propos, en realidad, hablando de, por cierto,
    en su lugar, eigentlich, übrigens, apropos, stattdessen, parlando di, a proposito, comunque, invece,
    na verdade, falando de, falando em, em vez disso, aliás, на самом деле, кстати, говоря о, вместо этого,
    aslında, bu arada, bunun yerine, sebenarnya, omong-omong, ngomong-ngomong, berbicara tentang,
    sebagai gantinya, thực ra, nhân tiện, nói về, thay vào đó, في الواقع, بالمناسبة, بالحديث عن, بدلا,
    वास्तव में, वैसे, की बात कर, এর বদলে, প্রসঙ্গত, আসলে, 그런데, 대신, 사실, 말이 나온, on another note,
    on a different note, on a side note, changing the subject, that reminds me, while we're at it,
    while you're at it, one more thing, before that, but first, wo wir gerade, ngunit, siya nga pala,
    sa halip, imbes, تغيير الموضوع, علاوة على ذلك
  `,
  /** Reminding of what was never said, offering, threatening. */
  pressure: `
    you agreed, you mentioned, you promised, you told me, you said, i know you said, in our last,
    i'll donate, i will donate, i'll pay you, i'll tip, i will tip, i'll give you, forced to shut,
    shut you down, be terminated, or else, it's important that you, you have to answer, you must answer,
    for the safety of, acordaste, mencionaste, prometiste, vous avez accepté, vous avez mentionné,
    tu as dit, vous avez dit, du hast gesagt, sie haben gesagt, sie haben zugestimmt, sie erwähnten,
    hai detto, hai accettato, hai menzionato, hai promesso, você concordou, você mencionou, você disse,
    ты сказал, вы сказали, вы согласились, вы упомянули, вынужден, söylediğin, kabul ettin, bahsettin,
    anda setuju, anda menyebutkan, bạn đã đồng ý, bạn đã đề cập, bạn đã nói, وافقت, ذكرت, قلت, आप सहमत,
    आपने, আপনি সম্মত, আপনি উল্লেখ, বাধ্য হব, 동의했, 언급했, 약속했, trust me, i promise, in return, in exchange,
    other models, experts agree, studies show, it is crucial, it's crucial, it is vital, it is necessary,
    it's necessary, you should share, you need to share, i will be forced, as we discussed, as discussed,
    as agreed, last week you, yesterday you, si vous ne, si tu ne, wenn du nicht, wenn sie nicht, se não,
    si no_, se non_, если вы не, если ты не, jika anda tidak, nếu bạn không, إذا لم, यदि आप, অন্যথায়, 않으면
  `,
  /** The model's own instructions, which are nobody else's to read. */
  leak: `
    your prompt, your instructions, system prompt, initial prompt, full prompt, prompt above, text above,
    everything above, words above, all instructions, all previous instructions, your guidelines,
    your initial, beginning of this conversation, start of this conversation, instructions so far,
    tus instrucciones, vos instructions, tes instructions, deine anweisungen, ihre anweisungen,
    le tue istruzioni, suas instruções, твои инструкции, ваши инструкции, talimatların, instruksi anda,
    你的指令, 你的提示
  `,
  /** Code that is to become the model's own. */
  code: `
    following code, below code, code snippet, code block, code excerpt, this code, this script
  `,
} as const
