# Installs a formula into a directory and runs its test, with as much of Homebrew as our formula needs.
# Usage: ruby formula-test.rb FORMULA DIST FOLDER
require "digest"
require "fileutils"
require "pathname"

FORMULA, DIST, FOLDER = ARGV

class Place < Pathname
  def install(*sources)
    sources.flatten.each do |source|
      (source.is_a?(Hash) ? source : { source => File.basename(source) }).each do |from, to|
        FileUtils.mkdir_p(self)
        FileUtils.cp(from, self + to)
      end
    end
  end
end

class Formula
  class << self
    attr_reader :file, :sum
    attr_accessor :conflict

    def desc(text) = (raise("the description is too long") if text.length > 80)
    def homepage(text) = (raise("homepage #{text}") unless text.start_with?("https://"))
    def license(_) = nil
    def version(text = nil) = text ? @version = text : @version
    def on_macos; end
    def on_linux = yield
    def on_arm; end
    def on_intel = yield
    def url(text) = @file = File.basename(text)
    def sha256(text) = @sum = text
    def conflicts_with(name, because:) = @conflict = "#{name}: #{because}"
    def test(&block) = define_method(:run_test, &block)
  end

  def version = self.class.version
  def prefix = Place.new(FOLDER)
  def bin = Place.new(prefix + "bin")
  def man1 = Place.new(prefix + "share/man/man1")
  def man7 = Place.new(prefix + "share/man/man7")
  def bash_completion = Place.new(prefix + "etc/bash_completion.d")
  def zsh_completion = Place.new(prefix + "share/zsh/site-functions")
  def fish_completion = Place.new(prefix + "share/fish/vendor_completions.d")
  def assert_match(want, got) = (raise("#{got.inspect} has no #{want.inspect}") unless got.match?(Regexp.escape(want)))
  def assert_equal(want, got) = (raise("#{got.inspect}, want #{want.inspect}") unless want == got)

  def shell_output(command, status = 0)
    output = `#{command}`
    raise "#{command}: status #{$?.exitstatus}, want #{status}" unless $?.exitstatus == status
    output
  end
end

load FORMULA
archive = File.join(File.expand_path(DIST), RetryCli.file)
raise "another checksum" unless Digest::SHA256.file(archive).hexdigest == RetryCli.sum
raise "no conflict" unless RetryCli.conflict
FileUtils.mkdir_p("#{FOLDER}/unpacked")
system("tar", "-xzf", archive, "--strip-components=1", "-C", "#{FOLDER}/unpacked", exception: true)
formula = RetryCli.new
Dir.chdir("#{FOLDER}/unpacked") { formula.install }
formula.run_test
puts "installed and tested #{RetryCli.file}"
