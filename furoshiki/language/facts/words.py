"""The word lists by which a pattern's object is judged: what is a job, a relative, a pet, no place at all."""

from __future__ import annotations

from furoshiki.language.tables import calendar_names


def _set(text: str) -> frozenset[str]:
    """Entries separated by commas, over as many lines as are needed."""
    return frozenset(entry.strip() for entry in text.replace("\n", " ").split(",") if entry.strip())


def either(entries: frozenset[str]) -> str:
    """A regular expression for any of the entries, longest first."""
    return "|".join(r"\s+".join(entry.split()) for entry in sorted(sorted(entries), key=len, reverse=True))


KIN = _set(
    """sister, brother, mother, father, mum, mom, dad, mama, papa, son, daughter, child, kid, baby, grandmother,
    grandfather, grandma, grandpa, granny, nan, grandson, granddaughter, aunt, uncle, cousin, niece, nephew,
    sibling, stepmother, stepfather, stepmum, stepmom, stepdad, stepson, stepdaughter, stepbrother,
    stepsister, mother-in-law, father-in-law, sister-in-law, brother-in-law, daughter-in-law, son-in-law,
    twin, godmother, godfather, goddaughter, godson, great-grandmother, great-grandfather"""
)
PARTNERS = _set("wife, husband, partner, girlfriend, boyfriend, fiancé, fiancée, fiance, fiancee, spouse, ex")
FRIENDS = _set(
    """friend, best friend, colleague, coworker, boss, manager, flatmate, roommate, housemate, neighbour,
    neighbor, teacher, therapist, doctor, mentor, landlord, classmate, coach, buddy, mate"""
)
PETS = _set(
    """dog, cat, puppy, kitten, rabbit, bunny, hamster, guinea pig, parrot, budgie, horse, pony, tortoise,
    turtle, snake, lizard, gecko, fish, goldfish, ferret, rat, mouse, chicken, hen, goat, donkey, canary,
    bird, pet"""
)
KIN_WORD = either(KIN | {"children", "grandchildren", "grandkids"})
PARTNER_WORD, FRIEND_WORD, PET_WORD = either(PARTNERS), either(FRIENDS), either(PETS)

# One word for one relation, so that "my mom" and "my mum" are the same person.
RELATION_FORMS = {
    "mom": "mother",
    "mum": "mother",
    "mama": "mother",
    "dad": "father",
    "papa": "father",
    "grandma": "grandmother",
    "granny": "grandmother",
    "nan": "grandmother",
    "grandpa": "grandfather",
    "kid": "child",
    "fiance": "fiancé",
    "fiancee": "fiancée",
    "neighbor": "neighbour",
    "coworker": "colleague",
    "puppy": "dog",
    "kitten": "cat",
    "bunny": "rabbit",
}

JOBS = _set(
    """nurse, doctor, teacher, engineer, developer, programmer, designer, architect, carpenter, plumber,
    electrician, baker, chef, cook, waiter, waitress, barista, bartender, driver, pilot, sailor, soldier,
    farmer, gardener, florist, writer, author, journalist, editor, translator, interpreter, musician, singer,
    painter, artist, actor, actress, dancer, photographer, filmmaker, director, producer, lawyer, solicitor,
    judge, paralegal, accountant, bookkeeper, banker, analyst, consultant, manager, secretary, receptionist,
    assistant, librarian, archivist, scientist, chemist, biologist, physicist, mathematician, statistician,
    psychologist, psychiatrist, therapist, physiotherapist, dentist, vet, veterinarian, pharmacist, surgeon,
    paramedic, midwife, carer, caregiver, social worker, firefighter, police officer, policeman, policewoman,
    detective, guard, cleaner, janitor, mechanic, technician, welder, builder, bricklayer, roofer, tailor,
    seamstress, hairdresser, barber, butcher, fisherman, student, researcher, professor, lecturer, tutor,
    postdoc, intern, apprentice, trainee, salesman, saleswoman, salesperson, shopkeeper, cashier, freelancer,
    entrepreneur, founder, ceo, cto, sysadmin, admin, clerk, postman, courier, priest, pastor, imam, rabbi,
    monk, nun, potter, luthier, watchmaker, jeweller, beekeeper, translator, joiner, tiler, optician,
    radiographer, geologist, astronomer, economist, historian, linguist, philosopher, politician, diplomat,
    nanny, au pair, officer, supervisor, coordinator, administrator, worker, scholar, coder, tester, owner,
    housewife, househusband, homemaker, stay-at-home mum, stay-at-home mom, stay-at-home dad, stay-at-home
    parent, midwife, steward, stewardess, planner"""
)
JOB_ENDINGS = ("ologist", "grapher", "therapist", "keeper", "maker", "smith", "ician", "wright")
NO_JOBS = _set("homemaker's, troublemaker, trouble maker, bookkeeper's, magician's, goalkeeper")
JOB_WORD = either(JOBS)

NATIONALITIES = _set(
    """german, french, english, spanish, turkish, russian, italian, dutch, polish, american, british, irish,
    scottish, welsh, chinese, japanese, korean, indian, canadian, australian, portuguese, swedish, danish,
    norwegian, finnish, greek, austrian, swiss, belgian, brazilian, mexican, argentinian, chilean, peruvian,
    colombian, ukrainian, romanian, bulgarian, hungarian, czech, slovak, croatian, serbian, bosnian, albanian,
    egyptian, moroccan, tunisian, algerian, lebanese, syrian, iraqi, iranian, israeli, palestinian, jordanian,
    saudi, pakistani, bangladeshi, sri lankan, nepali, thai, vietnamese, indonesian, malaysian, filipino,
    singaporean, nigerian, ghanaian, kenyan, ethiopian, south african, new zealander, kiwi, icelandic,
    estonian, latvian, lithuanian, georgian, armenian, kurdish, catalan, basque, maltese"""
)
LANGUAGES = NATIONALITIES | _set(
    """arabic, hebrew, hindi, urdu, bengali, punjabi, tamil, telugu, mandarin, cantonese, persian, farsi,
    swahili, latin, esperanto, gaelic, tagalog, sign language, bsl, asl, afrikaans, yiddish, flemish, malay,
    amharic, yoruba, igbo, zulu"""
)
FAITHS = _set(
    """christian, catholic, protestant, orthodox, muslim, jewish, hindu, buddhist, sikh, atheist, agnostic,
    quaker, pagan, humanist, stoic, baptist, lutheran, anglican, methodist, pacifist, socialist, feminist,
    anarchist, minimalist"""
)
DIET_WORD = either(
    _set(
        """vegan, vegetarian, pescatarian, coeliac, celiac, halal, kosher, lactose intolerant,
        lactose-intolerant, teetotal, gluten intolerant, gluten-free"""
    )
)

CONDITIONS = _set(
    """asthma, diabetes, migraine, migraines, adhd, add, autism, epilepsy, arthritis, anaemia, anemia, insomnia,
    tinnitus, eczema, psoriasis, ibs, crohn's, colitis, ms, pcos, endometriosis, hypertension, hypothyroidism,
    dyslexia, depression, anxiety, ptsd, ocd, bipolar, fibromyalgia, scoliosis, celiac, coeliac, hayfever,
    fever, reflux, vertigo, lupus, gout, parkinson's, cancer, hemophilia, haemophilia, glaucoma, sclerosis,
    disorder, syndrome, intolerance, disease, condition"""
)
STATES = _set(
    """pregnant, diabetic, colour-blind, color-blind, colourblind, colorblind, colour, color, deaf, blind,
    dyslexic, autistic, epileptic, asthmatic, left-handed, left, short-sighted, short, bipolar"""
)
POSSESSIONS = _set(
    """car, bike, bicycle, motorbike, motorcycle, scooter, van, camper, campervan, truck, boat, sailboat, kayak,
    canoe, house, flat, apartment, cottage, cabin, garden, allotment, balcony, greenhouse, piano, guitar,
    violin, cello, ukulele, drum, drums, saxophone, flute, keyboard, synth, synthesizer, telescope,
    microscope, camera, laptop, computer, pc, mac, macbook, phone, iphone, tablet, kindle, console,
    playstation, xbox, switch, printer, 3d printer, raspberry pi, tent, tesla, volvo, bmw, toyota, honda,
    ford, fiat, mini, beetle, vespa, tractor, farm, workshop, studio, shed, caravan, record player, sewing
    machine, loom, kiln, sourdough, aquarium, terrarium, beehive, beehives, skateboard, surfboard, snowboard,
    skis, drone, harp, trumpet, clarinet, accordion, banjo, bass, library, bookshop, shop, cafe, café, company"""
)
PLAYED = _set(
    """piano, guitar, violin, cello, ukulele, drums, drum, saxophone, flute, keyboard, bass, harp, trumpet,
    clarinet, accordion, banjo, mandolin, viola, oboe, trombone, organ, harmonica, recorder, chess, go,
    football, soccer, tennis, badminton, squash, basketball, volleyball, handball, hockey, rugby, cricket,
    golf, baseball, poker, bridge, darts, table tennis, ping pong, pingpong, padel, d&d, dnd, minecraft,
    games, video games, videogames, board games, cards"""
)

OCCASION_WORD = either(
    _set(
        """appointment, interview, job interview, exam, test, meeting, date, flight, train, wedding, party,
        operation, surgery, check-up, checkup, scan, concert, gig, recital, race, marathon, match, game,
        presentation, talk, lecture, deadline, trip, holiday, vacation, viewing, audition, trial, hearing,
        graduation, anniversary, funeral, dinner, lunch, rehearsal, driving test, thesis defence, thesis
        defense, defence, visit, conference, workshop, class, lesson, shift, call, tournament, performance,
        exhibition, opening, blood test, mri, biopsy, dentist, dentist appointment, doctor's appointment,
        review, performance review, move, first day, new job, course, term"""
    )
)

# "I live in fear", "I moved to the next level": not places.
NO_PLACE = _set(
    """fear, peace, hope, hell, heaven, the past, the moment, the present, the future, it, here, there, this,
    that, a, an, the, me, my head, my own world, a dream, a bubble, denial, silence, harmony, poverty, luxury,
    sin, chaos, a mess, love, misery, pain, the dark, darkness, limbo, suspense, a world, a society, a time,
    another room, my room, the same place, the next one, bed, the sofa, another seat, another table, my own,
    one, time, the meantime, anyway, a place, somewhere, my mind, the next level, a new place, a new flat, a
    new house, a new apartment, another city, another country, a new city"""
)
NO_PLACE_START = _set(
    """fear, that, this, it, me, my, your, his, her, their, our, work, behind, beyond, here, there, where, what,
    how, hope, constant, such, some, any, which, vain, different, another, bed, sleep, do, see, get, be, go,
    have, make, stop, avoid, help"""
)
NO_THING = _set(
    """it, this, that, you, him, her, them, us, me, they, what, how, when, one, ones, things, thing, stuff,
    something, nothing, everything, anything, someone, everyone, it all, it here, it there, both, all, none,
    myself, yourself, people, life, fun, so, not, too, more, less, much, a lot, the idea, the sound, the way,
    that one, this one, those, these, each other"""
)
NO_THING_START = _set(
    """it, this, that, these, those, you, your, you're, him, his, her, them, their, us, me, what, how, when, why,
    where, if, to, the, not, so, as, who, which, there, here, we, he, she, they, i, i'm, my, our, some, any,
    every, one, both, everything, something, anything, nothing, someone, anyone, nobody, being, having,
    feeling, was, is, are, more, another, no, yes"""
) - {"the", "to", "my"}
NO_WORKPLACE = _set(
    """home, night, nights, the weekend, weekends, it, this, that, me, him, her, them, free, money, a living,
    hours, days, a while, now, nothing, peanuts, food, myself, the moment, the best, a long time, all, ages,
    the day, years, a bit, two hours, three hours, an hour, the same place, someone else, something, something
    new, this place, that place"""
)
NO_FIELD = _set(
    """progress, silence, peace, the morning, the evening, the garden, theory, vain, practice, the end, my favour"""
)
NO_SUBJECT = _set(
    """hard, a lot, all day, all night, too much, every day, abroad, for, at, in, here, there, less, more, enough"""
)
NO_FOOD = _set(
    """much, enough, breakfast, lunch, dinner, out, alone, anything, here, there, now, today, well, properly, it,
    that, more"""
)
NO_BELIEF = _set("you, it, me, myself, that, this, him, her, them, us, nothing, anything, yourself")

# two words that are one thing
PAIRS = _set(
    """rock and roll, fish and chips, mac and cheese, salt and vinegar, bed and breakfast, arts and crafts, gin
    and tonic, cats and dogs, black and white, drum and bass, peanut butter and jelly, wine and cheese, sweet
    and sour"""
)

BREED_WORD = either(
    _set(
        """dachshund, beagle, labrador, lab, poodle, terrier, collie, border collie, shepherd, german shepherd,
        greyhound, husky, corgi, spaniel, cocker spaniel, retriever, golden retriever, pug, bulldog, boxer,
        dalmatian, whippet, chihuahua, mongrel, mutt, siamese, persian, maine coon, tabby, ragdoll, bengal,
        ginger, tortoiseshell, rescue"""
    )
)

_NO_NAMES = _set(
    """i, i'm, i've, is, was, has, lives, works, loves,
    likes, hates, and, or, but, who, which, that, said, says, told, just, also, always, never, really, still,
    came, went, got, made, had, will, would, can, could, should, not, in, on, at, to, for, with, from, by,
    about, called, named, the, a, an, my, our, died, passed, moved, turned, wants, needs, thinks, gave, asked,
    keeps, used, does, did, are, were, christmas, easter, yesterday, today, tomorrow, tonight, here, there,
    home, now, then, again, too, when, where, because, so, if, as, food, park, walker, sitter, bed, show,
    house, lover, person, people, and, studies, studied, speaks, knows, helped, visited"""
) | (calendar_names.NAMES - {"may"})


def is_name(text: str) -> bool:
    """Whether a word can be somebody's name rather than the next word of the sentence."""
    return text.lower().removesuffix("'s").removesuffix("\u2019s") not in _NO_NAMES and len(text) > 1


LEAVING = ("start", "leave", "fly", "meet", "move", "visit")
"""What somebody says they do when they tell of a plan with its day."""
