# What ./play and ./check share: the compiler, the system's packages, building
# with a count. Sourced, not run. Keeps to bash 3.2, which macOS still has.
# shellcheck shell=bash disable=SC2034

say() { printf '%s\n' "$*" >&2; }

# The compiler that rust-toolchain.toml pins, and what to do where it is missing.
# Exit 2: nothing was changed.
need_compiler() { # need_compiler [component...]
  local want have root=$1
  shift
  want=$(sed -n 's/^channel *= *"\(.*\)".*/\1/p' "$root/rust-toolchain.toml")
  if ! command -v cargo >/dev/null 2>&1 && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
    PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
    export PATH
  fi
  if ! command -v cargo >/dev/null 2>&1; then
    say "Rust is missing. Nine Gates is built with Rust $want. Install rustup as"
    say "https://rustup.rs says, then: rustup toolchain install $want -c rustfmt -c clippy"
    say "and start this again."
    exit 2
  fi
  if ! have=$(cd "$root" && RUSTUP_AUTO_INSTALL=0 rustc --version 2>/dev/null); then
    say "Rust $want is missing, which rust-toolchain.toml pins. Install it with:"
    say "  rustup toolchain install $want -c rustfmt -c clippy"
    say "and start this again."
    exit 2
  fi
  have=${have#rustc }
  have=${have%% *}
  if [ "$have" != "$want" ]; then
    # Without rustup the pin has no power: an older compiler cannot build this.
    if [ "$(printf '%s\n%s\n' "$want" "${have%%-*}" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)" != "$want" ]; then
      say "This is Rust $have; Nine Gates needs $want. Install rustup as https://rustup.rs"
      say "says (it keeps the version by itself), and start this again."
      exit 2
    fi
    say "This is Rust $have; Nine Gates is tested with $want. Going on with $have."
  fi
  local part
  for part in "$@"; do
    if ! (cd "$root" && cargo "$part" --version >/dev/null 2>&1); then
      [ "$part" = fmt ] && part=rustfmt
      say "The component $part of Rust $want is missing. Install it with:"
      say "  rustup component add --toolchain $want $part"
      exit 2
    fi
  done
}

on_mac() { [ "$(uname -s)" = Darwin ]; }

has_display() { on_mac || [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; }

# --- System packages --------------------------------------------------------

lib_there() { # a shared library that the window opens when it starts
  { ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null; } | grep -q "[[:space:]]$1 " && return 0
  local dir
  for dir in /usr/lib /usr/lib64 /usr/local/lib /usr/lib/*-linux-gnu; do
    [ -e "$dir/$1" ] && return 0
  done
  return 1
}

# The software or hardware Vulkan drivers that the loader would find.
vulkan_drivers() {
  local file
  for file in /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json \
    /usr/local/share/vulkan/icd.d/*.json "${XDG_DATA_HOME:-$HOME/.local/share}"/vulkan/icd.d/*.json; do
    if [ -e "$file" ]; then printf '%s\n' "$file"; fi
  done
  return 0
}

# Mesa's driver that needs no graphics card.
software_vulkan() { vulkan_drivers | grep -E '/lvp_icd[^/]*\.json$' | head -n 1; }

certificates_there() {
  local file
  for file in "${SSL_CERT_FILE:-}" "${CARGO_HTTP_CAINFO:-}" /etc/ssl/certs/ca-certificates.crt \
    /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem /etc/ssl/ca-bundle.pem; do
    if [ -n "$file" ] && [ -e "$file" ]; then return 0; fi
  done
  return 1
}

there() { # there NEED: whether this machine has it
  case $1 in
    linker) command -v cc >/dev/null 2>&1 && printf 'int main(void){return 0;}' | cc -x c -o /dev/null - 2>/dev/null ;;
    certificates) certificates_there ;;
    vulkan) lib_there libvulkan.so.1 && [ -n "$(vulkan_drivers)" ] ;;
    software-vulkan) lib_there libvulkan.so.1 && [ -n "$(software_vulkan)" ] ;;
    x11) lib_there libX11.so.6 && lib_there libX11-xcb.so.1 ;;
    cursor) lib_there libXcursor.so.1 ;;
    input) lib_there libXi.so.6 ;;
    keyboard) lib_there libxkbcommon.so.0 ;;
    keyboard-x11) lib_there libxkbcommon-x11.so.0 ;;
    wayland) lib_there libwayland-client.so.0 ;;
    xvfb) command -v xvfb-run >/dev/null 2>&1 && command -v Xvfb >/dev/null 2>&1 ;;
    xauth | xdotool | python3 | git) command -v "$1" >/dev/null 2>&1 ;;
    imagemagick) command -v import >/dev/null 2>&1 ;;
  esac
}

# What each need is called by each package manager. Tried: apt. Not tried: dnf,
# pacman, brew (README.md says so).
package() { # package MANAGER NEED
  case $1:$2 in
    apt:linker) echo "gcc libc6-dev" ;;
    apt:certificates) echo "ca-certificates" ;;
    apt:vulkan | apt:software-vulkan) echo "libvulkan1 mesa-vulkan-drivers" ;;
    apt:x11) echo "libx11-6 libx11-xcb1" ;;
    apt:cursor) echo "libxcursor1" ;;
    apt:input) echo "libxi6" ;;
    apt:keyboard) echo "libxkbcommon0" ;;
    apt:keyboard-x11) echo "libxkbcommon-x11-0" ;;
    apt:wayland) echo "libwayland-client0" ;;
    apt:xvfb) echo "xvfb" ;;
    dnf:linker) echo "gcc glibc-devel" ;;
    dnf:certificates) echo "ca-certificates" ;;
    dnf:vulkan | dnf:software-vulkan) echo "vulkan-loader mesa-vulkan-drivers" ;;
    dnf:x11) echo "libX11 libX11-xcb" ;;
    dnf:cursor) echo "libXcursor" ;;
    dnf:input) echo "libXi" ;;
    dnf:keyboard) echo "libxkbcommon" ;;
    dnf:keyboard-x11) echo "libxkbcommon-x11" ;;
    dnf:wayland) echo "libwayland-client" ;;
    dnf:xvfb) echo "xorg-x11-server-Xvfb" ;;
    dnf:imagemagick) echo "ImageMagick" ;;
    pacman:linker) echo "gcc" ;;
    pacman:certificates) echo "ca-certificates" ;;
    # The driver of the machine's card is the user's choice there; this one runs anywhere.
    pacman:vulkan | pacman:software-vulkan) echo "vulkan-icd-loader vulkan-swrast" ;;
    pacman:x11) echo "libx11" ;;
    pacman:cursor) echo "libxcursor" ;;
    pacman:input) echo "libxi" ;;
    pacman:keyboard) echo "libxkbcommon" ;;
    pacman:keyboard-x11) echo "libxkbcommon-x11" ;;
    pacman:wayland) echo "wayland" ;;
    pacman:xvfb) echo "xorg-server-xvfb" ;;
    pacman:xauth) echo "xorg-xauth" ;;
    pacman:python3) echo "python" ;;
    # macOS brings the window and Metal with it; the linker is Apple's.
    brew:linker) echo "" ;;
    *) echo "$2" ;;
  esac
}

manager() {
  if on_mac; then
    if command -v brew >/dev/null 2>&1; then echo brew; else echo none; fi
  elif command -v apt-get >/dev/null 2>&1; then echo apt
  elif command -v dnf >/dev/null 2>&1; then echo dnf
  elif command -v pacman >/dev/null 2>&1; then echo pacman
  else echo none
  fi
}

# Runs a command quietly; shows the end of what it said if it fails, and goes on.
told() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1 </dev/null; then
    say "That failed:"
    tail -n 12 "$log" >&2
  fi
  rm -f "$log"
}

# Installs what is missing; says what it will do before it does it. Where it
# cannot, it names the packages and goes on: the build says what it misses.
need_packages() { # need_packages NEED...
  local need with packages="" lacking="" missing="" as=""
  with=$(manager)
  for need in "$@"; do
    there "$need" && continue
    lacking="$lacking $need"
    packages="$packages $(package "$with" "$need")"
  done
  [ -n "$lacking" ] || return 0
  # shellcheck disable=SC2086
  packages=$(printf '%s\n' $packages | awk '!seen[$0]++' | tr '\n' ' ')
  packages=${packages% }
  say "This machine lacks:$lacking."
  if on_mac && ! there linker; then
    say "Apple's compiler and linker come with: xcode-select --install"
  fi
  if [ -n "${NINE_GATES_NO_INSTALL:-}" ]; then
    say "NINE_GATES_NO_INSTALL is set, so nothing is installed. The packages are: $packages"
    return 0
  fi
  if [ "$with" = none ]; then
    say "No package manager that this script knows (apt, dnf, pacman, brew) is here. Install"
    say "what your system calls: ${packages:-$lacking}. Going on without."
    return 0
  fi
  [ -n "$packages" ] || return 0
  if [ "$with" != brew ] && [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      say "Installing needs root, and there is no sudo. Ask for these packages: $packages"
      say "Going on without."
      return 0
    fi
    if [ -t 0 ]; then as="sudo"; else as="sudo -n"; fi
  fi
  case $with in
    apt)
      say "Installing with: ${as:+$as }apt-get install -y --no-install-recommends $packages"
      # shellcheck disable=SC2086
      told $as env DEBIAN_FRONTEND=noninteractive apt-get update -q
      # shellcheck disable=SC2086
      told $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages
      ;;
    dnf)
      say "Installing with: ${as:+$as }dnf install -y $packages"
      # shellcheck disable=SC2086
      told $as dnf install -y $packages
      ;;
    pacman)
      say "Installing with: ${as:+$as }pacman -S --needed --noconfirm $packages"
      # shellcheck disable=SC2086
      told $as pacman -S --needed --noconfirm $packages
      ;;
    brew)
      say "Installing with: brew install $packages"
      # shellcheck disable=SC2086
      told brew install $packages
      ;;
  esac
  for need in $lacking; do
    there "$need" || missing="$missing $need"
  done
  if [ -n "$missing" ]; then
    say "Still missing:$missing. The packages were: $packages"
    say "Going on without; the build or the game will say what it cannot do."
  fi
  return 0
}

# What a build without the window needs, and what the window needs besides.
NEEDS_PLAIN="linker certificates"
if on_mac; then
  NEEDS_WINDOW=""
else
  NEEDS_WINDOW="vulkan x11 cursor input keyboard keyboard-x11 wayland"
fi

# --- Building ---------------------------------------------------------------

host_triple() { rustc -vV | sed -n 's/^host: //p'; }

target_folder() { # as cargo sees it: CARGO_TARGET_DIR, its configuration, or ./target
  cargo metadata --locked --no-deps --format-version 1 2>/dev/null |
    sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p'
}

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# cargo build, with cargo's own bar on a terminal and a count elsewhere.
counted_build() { # counted_build ARGUMENTS OF cargo build
  if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
    CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH=${COLUMNS:-80} cargo build --locked "$@"
    return
  fi
  local features="" word all
  for word in "$@"; do
    case $word in --no-default-features) features=$word ;; esac
  done
  # shellcheck disable=SC2086
  all=$(cargo tree --locked --edges normal,build --prefix none --format '{p}' $features 2>/dev/null |
    sed 's/ (.*//' | sort -u | wc -l | tr -d ' ')
  cargo build --locked --quiet --message-format json-render-diagnostics "$@" | count_crates "$all"
  return "${PIPESTATUS[0]}"
}

count_crates() { # reads cargo's JSON lines; a crate counts once, however many parts it has
  local all=$1 line id seen=" " n=0 told=-100 began=$SECONDS stale=0
  while IFS= read -r line; do
    case $line in
      '{"reason":"compiler-artifact"'*) ;;
      *) continue ;;
    esac
    id=${line#*\"package_id\":\"}
    id=${id%%\"*}
    case $seen in *" $id "*) ;; *)
      seen="$seen$id "
      n=$((n + 1))
      ;;
    esac
    case $line in *'"fresh":false'*) stale=1 ;; esac
    if [ $stale = 1 ] && { [ $((SECONDS - told)) -ge 10 ] || { [ $n -eq "$all" ] && [ $told -ge 0 ]; }; }; then
      say "  $n of $all crates, $(clock $((SECONDS - began)))"
      told=$SECONDS
    fi
  done
}
