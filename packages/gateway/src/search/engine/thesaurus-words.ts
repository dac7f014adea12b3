/**
 * A thesaurus of general English, used only for queries. It has words from everyday life and from programming
 * interfaces, but no names of products, vendors or tools. No word is added to fix a single query of an evaluation,
 * because such entries do not generalise.
 */

/** Groups of words, separated by commas. Each word can stand for the others in its group. */
export const SYNONYMS =
  'list show display view browse enumerate, get fetch retrieve obtain read lookup, find search locate ' +
  'discover seek query, create make add new insert build, delete remove erase drop destroy discard, update ' +
  'edit modify change alter set adjust, send deliver transmit post dispatch, run execute invoke launch ' +
  'start trigger perform, stop halt terminate cancel abort kill end, check verify validate inspect test ' +
  'examine, analyze analyse evaluate assess review study, compare contrast difference diff versus, convert ' +
  'transform translate change, calculate compute solve, download export save, upload import load, copy ' +
  'duplicate clone replicate, move transfer migrate relocate, rename retitle, join merge combine ' +
  'concatenate unite, split divide separate break, open launch visit navigate, close shut, click press tap ' +
  'push, type enter fill input, write compose draft author, generate produce create design, suggest ' +
  'recommend propose advise advice suggestion recommendation, explain describe clarify, summarize summary ' +
  'overview digest brief, count number total tally amount, monitor watch track observe, schedule plan book ' +
  'arrange reserve, buy purchase order shop acquire, sell vend, pay payment checkout settle, share publish, ' +
  'restore recover revert undo, enable activate allow, disable deactivate block, assign allocate grant ' +
  'give, install setup deploy, connect link attach, disconnect detach unlink, protect secure guard, log ' +
  'record entry journal, error failure fault issue problem bug, fix repair resolve correct, learn study ' +
  'teach educate training, improve enhance optimize boost, detect identify recognize, extract scrape parse ' +
  'crawl, rank sort order, filter narrow refine, approve accept confirm, reject decline refuse deny, ' +
  'subscribe follow, email mail message, message text sms chat, photo picture image snapshot illustration, ' +
  'video clip footage movie, movie film cinema, song music track tune audio, audio sound voice, voice ' +
  'speech spoken, speak talk say, book novel ebook reading, article story post blog, document doc file ' +
  'paper, paper research study publication, folder directory, web website site internet online, page ' +
  'webpage, url link address, repository repo, code program script programming source, function method ' +
  'lambda, app application software, user person member people account, customer client buyer shopper, ' +
  'employee worker staff, team group, company business firm organization enterprise corporation, job career ' +
  'employment work vacancy position occupation, resume cv, salary wage pay income, money cash fund finance ' +
  'financial, price cost rate fee pricing, cheap affordable budget inexpensive, discount deal coupon offer ' +
  'promotion sale, stock share equity, crypto cryptocurrency coin token, currency exchange, invest ' +
  'investment investing portfolio, tax taxes, bill invoice receipt, loan mortgage credit lending, bank ' +
  'banking, insurance coverage, house home property apartment residence, rent lease rental, estate property ' +
  'realty, hotel accommodation lodging stay hostel, trip travel journey vacation holiday tour tourism ' +
  'itinerary, flight airline airfare plane, car vehicle automobile auto, train rail railway, bus transit, ' +
  'map location place geography, place spot venue attraction, restaurant dining eatery cafe, recipe cooking ' +
  'cook dish cuisine meal, food meal eat nutrition, drink beverage, diet nutrition calorie, exercise ' +
  'workout fitness gym, health medical medicine wellness, doctor physician clinic, disease illness ' +
  'condition symptom, drug medication medicine, weather forecast climate, temperature degree heat, earth ' +
  'planet space astronomy, school education college university academic, course class lesson curriculum ' +
  'tutorial training, student learner pupil, teacher tutor instructor, quiz test exam question trivia, ' +
  'question answer ask, game play gaming, puzzle riddle, fun entertainment amusing, joke humor funny ' +
  'comedy, news headline current, event happening activity, calendar schedule agenda appointment, meeting ' +
  'appointment conference, reminder alert notification notify, task todo chore, project initiative, goal ' +
  'target objective, date day, time clock hour, timezone zone, language linguistic, word vocabulary term, ' +
  'dictionary definition meaning, grammar spelling proofread, translate translation translator, law legal ' +
  'legislation court, lawyer attorney, government public, policy rule regulation, security safety, password ' +
  'credential secret, permission access authorization right, key certificate, virus malware threat, ' +
  'database db sql, table sheet spreadsheet, row record entry, column field attribute property, chart graph ' +
  'plot diagram visualization visualize, report analytics statistics insight metric, data dataset ' +
  'information, statistic stats figure, cloud hosting, server host instance vm, container image, cluster ' +
  'node, storage store bucket disk, backup snapshot, network networking, domain dns, traffic visitor, ' +
  'latency delay performance speed, cpu memory usage, config configuration setting preference option, ' +
  'parameter argument, version release revision, ticket issue case, comment remark note feedback, review ' +
  'rating opinion, gift present, fashion clothing clothes outfit apparel wear, product item goods ' +
  'merchandise, store shop retailer market, cart basket, shipping delivery shipment parcel package, ' +
  'marketing advertising ad advertisement campaign, seo ranking keyword, social media, influencer creator, ' +
  'podcast episode, tv television series show, anime manga cartoon, actor celebrity star, artist painter, ' +
  'art painting drawing, logo icon branding brand, color colour palette, font typeface, draw sketch, poem ' +
  'poetry lyric verse, sport match league team, score result, horoscope astrology zodiac tarot fortune, ' +
  'religion bible scripture spiritual, dream sleep, love dating relationship romance, pet dog cat animal, ' +
  'plant garden flower, baby child kid, family relative, friend companion buddy, wedding marriage, party ' +
  'celebration, history historical past, science scientific, math mathematics arithmetic equation, physics ' +
  'chemistry biology, patent invention, startup venture entrepreneur, browser tab, screenshot capture, ' +
  'element selector, keyboard keypress, form survey questionnaire, transcript transcription caption ' +
  'subtitle, pdf document, qr barcode, random dice, name title label, id identifier, status state ' +
  'condition, size capacity, region location area, today now current latest recent, trend trending popular, ' +
  'future prediction predict forecast, best top, detail info information, help support assistance, guide ' +
  'tutorial manual instruction, example sample, template boilerplate, idea inspiration brainstorm, creative ' +
  'creativity, conversation chat dialogue discussion, ai artificial intelligence, model llm, prompt ' +
  'instruction, memory remember recall, contact address phone, phone mobile telephone call, environment ' +
  'env, authentication auth login signin, authorization auth, organization org, documentation docs doc, ' +
  'message msg, image img, number num, command cmd, directory dir, administrator admin, certificate cert, ' +
  'service svc, namespace ns, application app, specification spec, description desc, reference ref, ' +
  'temporary temp, development dev, production prod, statistics stats, information info, identifier id uuid ' +
  'guid, parameter param arg, attribute attr, library lib package module dependency, branch fork, incident ' +
  'outage alert alarm, dashboard panel, lead prospect opportunity deal, pipeline workflow job build, topic ' +
  'queue stream, index catalog, tag label category, channel room, thread conversation, attachment file, ' +
  'archive compress zip, encrypt cipher, decrypt decode, endpoint api route, webhook callback hook, quota ' +
  'limit, balance funds, refund reimbursement return, transaction payment transfer, subscription plan ' +
  'membership, region zone, schema structure, secret credential token, role permission, owner author ' +
  'creator, deploy release rollout publish, rollback revert, restart reboot, resize scale, pause suspend, ' +
  'resume continue unpause, wait sleep, scroll swipe, hover mouseover, drag drop, navigate goto visit, ' +
  'evaluate execute'

/**
 * Categories, each with words that belong to it. Queries tend to use the specific word, while descriptions name the
 * category.
 */
export const KINDS =
  'travel: hotel flight vacation destination itinerary trip sightseeing luggage airport backpacking resort ' +
  'cruise beach, restaurant: pizza sushi brunch dinner lunch dining, recipe: ingredient chicken pasta bake ' +
  'soup dessert cake breakfast lunch dinner vegetarian vegan cooking cocktail, music: song playlist album ' +
  'artist singer band concert guitar piano melody rap jazz lyrics, movie: film actor director cinema ' +
  'thriller comedy drama documentary, weather: rain snow temperature humidity wind storm forecast umbrella ' +
  'sunny cold climate, finance: stock bond dividend portfolio earnings market investment trading budget ' +
  'revenue, stock: share dividend ticker equity, cryptocurrency: blockchain wallet token coin nft, health: ' +
  'symptom doctor diet disease pain medication therapy sleep stress, fitness: workout exercise muscle gym ' +
  'running yoga weight, education: school student teacher college homework exam course learn, math: ' +
  'equation integral algebra calculus geometry derivative matrix, shopping: buy product price store brand ' +
  'purchase shoes dress laptop, car: vehicle engine suv sedan tire, house: apartment bedroom rent mortgage, ' +
  'job: resume hiring career interview salary internship, legal: contract lawsuit attorney law court ' +
  'clause, news: headline politics breaking journalist, game: chess player puzzle level quest, sport: ' +
  'football basketball soccer tennis baseball player team season, animal: dog cat bird fish horse, image: ' +
  'photo picture logo drawing portrait, video: clip movie footage film, document: pdf contract report ' +
  'essay, file: txt csv json pdf readme, research: scientific academic journal thesis literature ' +
  'experiment, website: seo html landing domain blog, code: function bug algorithm compile, diagram: ' +
  'flowchart uml mindmap, chart: bar pie histogram, database: sql table query schema, date: monday tuesday ' +
  'wednesday thursday friday saturday sunday january february march april june july august september ' +
  'october november december tomorrow yesterday, language: english french spanish german chinese japanese ' +
  'italian korean russian portuguese arabic hindi, location: city country town street nearby near, event: ' +
  'concert festival exhibition show ticket, gift: birthday christmas anniversary, social: follower hashtag ' +
  'influencer profile feed, email: inbox attachment newsletter, space: planet star galaxy mars moon ' +
  'asteroid telescope, book: author novel fiction chapter library, child: kid toddler bedtime'
