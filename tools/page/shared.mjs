// Shared by the page and by `build`, which writes the first result into the page.

const WORK = "20000"; // --most-work, the limit for a search for a program: about 10 ms
export const TARGET = "glsl-es-300"; // the target that is shown at first

/** The initial values of the inputs: texels, primary and secondary colour, from 0 to 255. */
export const FIRST = {T0: [230, 150, 70, 255], T1: [110, 160, 220, 200], T2: [90, 200, 120, 140],
    T3: [240, 230, 120, 90], T4: [180, 90, 200, 220], T5: [60, 120, 110, 180], T6: [200, 60, 60, 128],
    T7: [250, 250, 250, 60], primary: [255, 230, 200, 255], secondary: [40, 20, 0, 0]};

export const css = ([r, g, b, a = 255]) => `rgb(${r} ${g} ${b} / ${a / 255})`;
export const bytes = color => color.map(x => Math.round(255 * x * 10) / 10);

/** Explains state `number` of a text as HTML. Returns the result of Command.run. */
export function explainText(command, text, number) {
    return command.run(["explain", "-", "--html", "--diag", "json", "--state", String(number), "--most-work",
        WORK], {stdin: text});
}

/** Evaluates a state of a text for inputs given as {name: color}. Returns the colour of the state and those
 *  of its units, or null if the command fails. */
export function evaluateText(command, text, number, colors) {
    const given = Object.entries(colors).flatMap(([name, color]) =>
        ["--input", `${name}=${color.map(x => x + "/255").join(",")}`]);
    const run = command.run(["evaluate", "-", "--json", "-q", "--state", String(number), ...given],
        {stdin: text});
    return run.status ? null : JSON.parse(run.stdout).states[0];
}
