import { findReport } from '../../agents/output/final-message.ts';
import { reportContract, reviewContract } from '../../agents/output/output-contract.ts';
import { growth, LINEAR } from '../support/growth.ts';

const { fields } = reportContract;

const report = { status: 'complete', summary: 'did {it} and "more" ```', evidence: ['e'], nextSteps: [], blocker: '' };
const json = JSON.stringify(report);
const pretty = JSON.stringify(report, null, 2);

test.each([
  ['is the whole message', json, /^$/],
  ['is the whole message, with white space around it', `\n\n ${pretty}\n`, /^$/],
  ['closes the message in a fence', `Done.\n\n\`\`\`json\n${pretty}\n\`\`\``, /^Done\.$/],
  ['closes the message in a fence without a language', `Done.\n\`\`\`\n${json}\n\`\`\`\n`, /^Done\.$/],
  ['is a fence alone', `\`\`\`json\r\n${json}\r\n\`\`\``, /^$/],
  ['closes the message in a line of prose', `All is done: ${json}`, /^All is done:$/],
  ['comes after an example', `For example \`\`\`json\n{"status":"blocked"}\n\`\`\` but:\n${json}`, /^For example/],
  ['comes after another whole report', `First I wrote ${pretty}\nand now\n${json}`, /^First I wrote/],
  ['comes after text full of braces', `${'{"status":'.repeat(20_000)}\n${json}`, /^\{"status":/],
])('a report that %s is found', (_, message, before) => {
  const found = findReport(message, fields);
  expect(found?.value).toEqual(report);
  expect(found?.before.trim()).toMatch(before);
});

test.each([
  ['is followed by further words', `I would report ${json} once I am done.`],
  ['stands in a fence with words after it', `\`\`\`json\n${json}\n\`\`\`\nThat is how it would look.`],
  ['lacks a field', `Done: {"status":"complete","summary":"s","evidence":[],"nextSteps":[]}`],
  ['is cut', `Done: ${json.slice(0, -1)}`],
  ['is a list', `[${json}]`],
  ['is not there', 'Everything is done.'],
  ['is an empty message', ''],
])('what %s is not taken for a report', (_, message) => {
  expect(findReport(message, fields)).toBeNull();
});

test('a message that is an object is handed on even when it breaks the contract, so that the refusal can say how', () => {
  expect(findReport('{"status":"done"}', fields)?.value).toEqual({ status: 'done' });
});

test('a review is told from a report by its fields', () => {
  const review = { decision: 'reject', reasons: ['no test'] };
  const message = `I looked.\n\`\`\`json\n${JSON.stringify(review)}\n\`\`\``;
  expect(findReport(message, reviewContract.fields)?.value).toEqual(review);
  expect(findReport(message, fields)).toBeNull();
  expect(findReport(`I looked. ${json}`, reviewContract.fields)).toBeNull();
});

const lookAtOpenings = (openings: number) => findReport(`${'{"status":"'.repeat(openings)}}`, fields);

test('hostile openings cost in proportion to their number', () => {
  expect(lookAtOpenings(100_000)).toBeNull();
  expect(growth(lookAtOpenings, 10_000)).toBeLessThan(LINEAR);
});
