#!/bin/sh
# Redraws docs/figures: tools/draw_figures.sh [path of vinculum]. Needs gnuplot, and Chromium for pictures of
# mechanisms.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
vinculum=${1:-vinculum}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# draw FIGURE FILE MODEL LAWS [options]: runs `vinculum compare`; its picture FILE becomes docs/figures/FIGURE.svg
draw() {
  figure=$1 file=$2 model=$3 laws=$4
  shift 4
  "$vinculum" compare "$root/models/$model.vin" --laws "$laws" -o "$work/$figure" "$@" > /dev/null
  (cd "$work/$figure" && gnuplot compare.gp)
  cp "$work/$figure/$file.svg" "$root/docs/figures/$figure.svg"
  echo "docs/figures/$figure.svg"
}

mkdir -p "$root/docs/figures"
draw skate_under_laws path skate_ideal 'ideal,kozlov(c=100,20, mu=0),vakonomic(mu=0),vakonomic(mu=1.5)' --until 2.5
draw blade_with_friction path knife_edge_viscous 'ideal,viscous(kappa=1,3,10,100)'
draw blade_with_inertia path knife_edge_inertial 'vakonomic(mu=mu0),inertial(kappa=1e0..1e3),ideal'
draw ladders ladder knife_edge_inertial \
  'ideal,vakonomic(mu=mu0),viscous(kappa=1e1..1e4),inertial(kappa=1e1..1e4),kozlov(c=1e1..1e4,mu=mu0),kozlov(c=1e-1..1e-4,mu=mu0)'

# plot NUMBER MODEL NAMES: quantities over time as in this figure of the thesis
plot() {
  "$vinculum" run "$root/models/$2.vin" --svg "$root/docs/figures/thesis_$1.svg" --plot "$3" -o "$work/thesis_$1" > /dev/null
  echo "docs/figures/thesis_$1.svg"
}
plot 12 manipulator 'x,y,z,a1,a2,a3'
plot 13 manipulator 'th[1],th[2],th[3],th[4],th[5],th[6],th[7]'
plot 14 manipulator r
plot 15 manipulator pitch,yaw,roll
plot 16 manipulator "th[1]',th[2]',th[3]',th[4]',th[5]',th[6]',th[7]'"
plot 17 manipulator v_payload
plot 18 manipulator motor_torque
plot 19 manipulator shoulder_force
plot 20 manipulator wrist_torque
plot 21 figures_pucks lambda21
plot 22 figures_pucks lambda22
plot 23 figures_pucks lambda23
plot 24 sliding_rod q1,q2,lambda,F
python3 "$root/docs/figures/paths_of_pucks.py" "$work/thesis_21" "$root/docs/figures"
python3 "$root/docs/figures/tables_of_the_thesis.py" "$vinculum" "$root/models/manipulator.vin" > "$work/tables.md"
cp "$work/tables.md" "$root/docs/thesis_tables.md"
echo "docs/thesis_tables.md"
# the model of the first page
sed -n '/^```vin/,/^```/p' "$root/docs/index.md" | sed '/^```/d' > "$work/pendulum.vin"
"$vinculum" run "$work/pendulum.vin" --svg "$root/docs/figures/first_pendulum.svg" --plot tension -o "$work/pendulum" > /dev/null
echo "docs/figures/first_pendulum.svg"

python3 "$root/docs/figures/gough_stewart.py" "$vinculum" "$root/models/gough_stewart.vin" > "$work/gough_stewart.svg"
cp "$work/gough_stewart.svg" "$root/docs/figures/gough_stewart.svg"
echo "docs/figures/gough_stewart.svg"

# Figures 1 to 11: drawings of mechanisms, from the pages of their models
if [ -x /usr/bin/chromium ] && [ -d "$root/page/node_modules/playwright-core" ]; then
  VINCULUM_COMMAND=$(command -v "$vinculum") VINCULUM_PAGES=$work/pages node "$root/page/draw.mjs" "$root/docs/figures"
else
  echo "Figures 1 to 11 are as they were: they need Chromium and page/node_modules" >&2
fi
