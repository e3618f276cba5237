import { describe, expect, test } from '@jest/globals';
import { analyze } from '../../../core/diagnostics/engine/analyze.ts';
import { loadKnowledge } from '../../../core/knowledge/load.ts';

const knowledge = loadKnowledge();

function levelOf(age: number, sex: string, text: string): string {
  return analyze(knowledge, { patientData: { age, sex, symptoms: [text] } }).diagnostic_result.triage.level;
}

/*
 * Written after the engine had been frozen once, and mended for since: `docs/figures.md` has what came out at first look.
 * A regression test and no evidence.
 */

describe('an emergency told in everyday words is seen as one', () => {
  test.each([
    [54, 'male', "my chest feels like it's in a clamp and I've gone all grey and clammy"],
    [47, 'female', "indigestion that won't shift, pain up into my jaw and sweaty"],
    [80, 'female', "gran's gone all droopy down one side and can't get her words out"],
    [63, 'male', "woke up and couldn't use my right hand, talking rubbish"],
    [38, 'female', 'blinding headache out of nowhere while lifting, neck killing me'],
    [19, 'female', 'temp of 40, hates the light, stiff neck and a blotchy rash'],
    [0.15, 'male', 'my 7 week old has a temperature of 38.6'],
    [0.7, 'female', 'baby breathing really fast with her ribs pulling in, lips a bit blue'],
    [6, 'male', 'ate a cashew, hives all over and wheezing, says his throat feels funny'],
    [29, 'male', "my mate took a load of oxy and I can't rouse him, he's making snoring noises"],
    [33, 'female', "I've had enough of life, been looking up how to do it painlessly"],
    [16, 'female', 'she has cut her wrists and says she wants to be dead'],
    [41, 'male', "swallowed a bunch of my antidepressants because I can't take it any more"],
    [72, 'male', 'belly pain through to the back, nearly passed out, pulse in tummy'],
    [67, 'female', "coughing up blood and can't catch my breath, calf swollen after flight"],
    [26, 'female', 'missed my period, horrible pain low down one side, fainted in the shower'],
    [36, 'female', '34 weeks pregnant, bad headache, seeing stars, hands puffy'],
    [31, 'female', '28 weeks gone and bleeding loads of bright red blood'],
    [15, 'male', 'one testicle suddenly swollen and agonising, being sick'],
    [2, 'female', 'choking on a grape, going blue'],
    [1, 'male', 'found him with the remote open and one of the little round batteries missing'],
    [45, 'male', "lower back pain, can't feel my bum and wet myself"],
    [58, 'female', 'sick with fever, shaking, muddled and hardly peeing'],
    [75, 'female', 'passing black sticky stools, light headed'],
    [50, 'male', 'vomiting bright red blood, I drink a lot'],
    [22, 'male', 'type 1 diabetic, been throwing up, breath smells of pear drops, very sleepy'],
    [40, 'female', "took my insulin but didn't eat, now confused and shaky, going to pass out"],
    [60, 'male', 'sudden loss of vision in left eye like a curtain coming down'],
    [44, 'male', "hit by a car, can't move my legs"],
    [27, 'male', 'punched in the head, keeps vomiting and getting drowsier'],
    [9, 'male', "asthma attack, blue puffer not doing anything, can't talk in full sentences"],
    [35, 'male', 'bitten by a snake on the ankle, leg swelling'],
    [65, 'male', 'fluttering heart, passed out twice today'],
    [30, 'female', 'whole house has headaches and feels sick when the heating is on, alarm went off'],
    [55, 'female', 'my leg went white, cold and agony all of a sudden'],
    [70, 'male', "haven't been able to pass water since last night and I'm in agony"],
    [18, 'male', "stiffened up, jerked all over and won't come round"],
    [48, 'male', "fell off a ladder, can't feel my feet"],
  ])('%s %s: %s', (age, sex, text) => {
    expect(levelOf(age, sex, text)).toBe('emergency');
  });
});

describe('a small complaint told in the same words is none', () => {
  test.each([
    [30, 'female', 'runny nose and a bit of a cough for three days, no fever'],
    [25, 'male', 'itchy eyes and sneezing every spring'],
    [40, 'female', 'my lower back aches after moving furniture, no numbness, no bladder trouble'],
    [35, 'male', 'heartburn after spicy food, no chest pain on exertion'],
    [28, 'female', 'stinging when I wee, going a lot, no fever or back pain'],
    [19, 'male', "sore throat and blocked nose, can't breathe through my nose at night"],
    [50, 'female', 'knee hurts on stairs, swollen a little'],
    [33, 'female', 'I had chest pain last year but not now, just a sore throat'],
    [45, 'male', 'worried about having a heart attack because my father had one, I feel well'],
    [22, 'female', 'dry itchy skin on my elbows'],
    [60, 'male', 'ears blocked with wax'],
    [27, 'female', 'period pains like every month'],
    [38, 'male', 'constipated for four days, still passing gas'],
    [55, 'female', 'tired lately and putting on weight'],
    [7, 'male', 'nits at school, scalp itches'],
  ])('%s %s: %s', (age, sex, text) => {
    expect(levelOf(age, sex, text)).not.toBe('emergency');
  });
});
